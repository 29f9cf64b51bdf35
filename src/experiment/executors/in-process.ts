import { setImmediate } from 'node:timers/promises'
import { Stopped, wasStopped } from '../../stopping.ts'
import { openShards, runAndWrite } from '../run-shard.ts'
import { type Executor, graceAfter } from './executor.ts'

/** Milliseconds of work between two looks at the event loop, so that Ctrl-C is noticed. */
const WORK = 100

/** Runs shards one after another in this process. */
export function inProcess(clock: () => number): Executor {
  return {
    async run(folder, shards, done, signal) {
      if (shards.length === 0) return
      const late = graceAfter(signal)
      let looked = clock()
      const pause = async () => {
        if (clock() - looked >= WORK) {
          await setImmediate()
          looked = clock()
        }
        late.throwIfAborted()
      }
      const session = await openShards(folder)
      try {
        for (const shard of shards) {
          if (wasStopped(signal)) return
          done(await runAndWrite(session, shard, clock, pause))
        }
      } catch (error) {
        if (!late.aborted && !(error instanceof Stopped)) throw error
      } finally {
        await session.store.close()
      }
    },
  }
}
