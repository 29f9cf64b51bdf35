import { runAndWrite } from '../run-shard.ts'
import { openSession } from '../session.ts'
import type { Executor } from './executor.ts'

/** Shards one after another in this process. */
export function inProcess(clock: () => number): Executor {
  return {
    name: 'in-process',
    async run(folder, shards, done, signal) {
      if (shards.length === 0) return
      const session = await openSession(folder)
      try {
        for (const shard of shards) {
          if (signal.aborted) return
          done(await runAndWrite(session, shard, clock))
        }
      } finally {
        await session.store.close()
      }
    },
  }
}
