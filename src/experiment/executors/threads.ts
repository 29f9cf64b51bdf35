import { Tinypool } from 'tinypool'
import { type Mistake, UserError } from '../../errors.ts'
import type { Executor, ShardReport } from './executor.ts'
import type { Outcome } from './thread.ts'

/** Shards over `workers` worker threads of this machine; each opens the experiment once. */
export function threads(workers: number): Executor {
  return {
    name: 'threads',
    async run(folder, shards, done, signal) {
      const pool = new Tinypool({
        filename: new URL('./thread.js', import.meta.url).href,
        minThreads: Math.min(workers, shards.length),
        maxThreads: workers,
        workerData: { folder },
        // A thread keeps its session between shards.
        isolateWorkers: false,
      })
      try {
        await Promise.all(
          shards.map(async (shard) => {
            if (signal.aborted) return
            const outcome: Outcome = await pool.run(shard, { signal }).catch((error: unknown) => {
              if (signal.aborted) return null
              throw error
            })
            if (outcome) done(reportOf(outcome))
          }),
        )
      } finally {
        await pool.destroy()
      }
    },
  }
}

/** Errors lose their class between threads; a user's mistakes must stay what they are. */
function reportOf(outcome: ShardReport | { mistakes: readonly Mistake[] }): ShardReport {
  if ('mistakes' in outcome) throw new UserError(outcome.mistakes)
  return outcome
}
