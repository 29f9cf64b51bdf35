import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Tinypool } from 'tinypool'
import { UserError } from '../../errors.ts'
import type { Executor, ShardReport } from './executor.ts'
import type { Outcome } from './thread.ts'
import type { Written } from './write-thread.ts'

/** Shards over `workers` worker threads of this machine; each opens the experiment once. */
export function threads(workers: number): Executor {
  return {
    name: 'threads',
    async run(folder, shards, done, signal) {
      const lanes = Math.min(workers, shards.length)
      if (lanes === 0) return
      const pool = openPool(folder, lanes)
      const waiting = [...shards]
      // What was begun is finished, whatever the signal says: a thread that is stopped in the middle leaves half a file.
      const lane = async () => {
        while (!signal.aborted) {
          const shard = waiting.shift()
          if (shard === undefined) return
          const outcome: Outcome = await pool.run(shard).catch((error: unknown) => {
            waiting.length = 0
            const advice = workers > 1 ? `fewer --workers than ${workers}, ` : ''
            throw outOfMemory(error, 'a worker', `${advice}a smaller --shard-size, or `) ?? error
          })
          if ('mistakes' in outcome) waiting.length = 0
          done(reportOf(outcome))
        }
      }
      try {
        await Promise.all(Array.from({ length: lanes }, lane))
      } finally {
        await pool.destroy()
      }
    },
    // The pool is closed by then: its threads hold indexes, and this one needs none.
    async writeRows(rows) {
      const thread = new Worker(new URL('./write-thread.js', import.meta.url), { workerData: rows })
      const ended = once(thread, 'exit').then(([code]) => {
        throw new Error(`the thread that writes the rows ended with code ${code}`)
      })
      const [{ mistakes }] = (await Promise.race([once(thread, 'message'), ended]).catch((error: unknown) => {
        throw outOfMemory(error, 'the thread that writes the rows') ?? error
      })) as [Written]
      if (mistakes.length > 0) throw new UserError(mistakes)
    },
  }
}

function openPool(folder: string, lanes: number): Tinypool {
  return new Tinypool({
    filename: new URL('./thread.js', import.meta.url).href,
    minThreads: lanes,
    maxThreads: lanes,
    workerData: { folder },
    // A thread keeps its session between shards.
    isolateWorkers: false,
  })
}

/** Errors lose their class between threads; a user's mistakes must stay what they are. */
function reportOf(outcome: Outcome): ShardReport {
  if ('mistakes' in outcome) throw new UserError(outcome.mistakes)
  return outcome
}

function outOfMemory(error: unknown, who: string, advice = ''): UserError | undefined {
  if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_WORKER_OUT_OF_MEMORY') return undefined
  return new UserError(
    `${who} ran out of memory; try ${advice}NODE_OPTIONS=--max-old-space-size=MEGABYTES. Finished shards are kept: the same command resumes`,
  )
}
