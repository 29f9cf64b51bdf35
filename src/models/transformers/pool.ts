import { Tinypool } from 'tinypool'
import { UserError } from '../../errors.ts'
import { builtUrl } from '../../threads.ts'
import type { SessionOptions } from './session.ts'
import type { EmbeddingOutcome } from './thread.ts'

/** Texts that a thread gets at a time. */
const TASK = 8

type Embed = (texts: readonly string[], done: (count: number) => void) => Promise<Float32Array[]>

/** Embeds texts over `workers` threads, each with the model loaded once; idle threads keep no process alive. */
export function openPool(options: SessionOptions, workers: number): Embed {
  const pool = new Tinypool({
    filename: builtUrl('models/transformers/thread.js').href,
    minThreads: workers,
    maxThreads: workers,
    workerData: options,
    execArgv: [],
    isolateWorkers: false,
  })
  return inTasks((texts) => pool.run(texts) as Promise<EmbeddingOutcome>)
}

/**
 * Embeds texts in tasks that run at once. Asked to stop, it gives the vectors of the first texts only. Returns, or throws, once no
 * task runs.
 */
export function inTasks(run: (texts: readonly string[]) => Promise<EmbeddingOutcome>): Embed {
  return async (texts, done) => {
    const tasks: Promise<readonly Float32Array[]>[] = []
    for (let from = 0; from < texts.length; from += TASK) {
      const task = run(texts.slice(from, from + TASK))
      tasks.push(
        task.then((outcome) => {
          if ('diagnostics' in outcome) throw new UserError(outcome.diagnostics)
          done(outcome.length)
          return outcome
        }),
      )
    }
    const results: Float32Array[] = []
    await Promise.allSettled(tasks)
    for (const [index, vectors] of (await Promise.all(tasks)).entries()) {
      results.push(...vectors)
      if (results.length < Math.min(texts.length, (index + 1) * TASK)) break
    }
    return results
  }
}
