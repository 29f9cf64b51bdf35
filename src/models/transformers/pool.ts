import { Tinypool } from 'tinypool'
import { UserError } from '../../errors.ts'
import type { SessionOptions, Task } from './session.ts'
import type { EmbeddingOutcome } from './thread.ts'

/** Texts that a thread gets at a time. */
const TASK = 8

/**
 * Embeds texts over `workers` threads, each with the model loaded once; idle threads keep no process alive. Asked to stop, it
 * gives the vectors of the first texts only. Returns, or throws, once no thread is at work.
 */
export function openPool(
  options: SessionOptions,
  workers: number,
): (task: Task, done: (count: number) => void) => Promise<Float32Array[]> {
  const pool = new Tinypool({
    filename: new URL('./thread.js', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    workerData: options,
    execArgv: [],
    isolateWorkers: false,
  })
  return async ({ texts, by }, done) => {
    const tasks: Promise<readonly Float32Array[]>[] = []
    for (let from = 0; from < texts.length; from += TASK) {
      const task = pool.run({ texts: texts.slice(from, from + TASK), by }) as Promise<EmbeddingOutcome>
      tasks.push(
        task.then((outcome) => {
          if ('diagnostics' in outcome) throw new UserError(outcome.diagnostics)
          done(outcome.length)
          return outcome
        }),
      )
    }
    const found: Float32Array[] = []
    await Promise.allSettled(tasks)
    for (const [index, vectors] of (await Promise.all(tasks)).entries()) {
      found.push(...vectors)
      if (found.length < Math.min(texts.length, (index + 1) * TASK)) break
    }
    return found
  }
}
