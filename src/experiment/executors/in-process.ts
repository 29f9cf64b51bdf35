import { setImmediate } from 'node:timers/promises'
import { Stopped, wasStopped } from '../../stopping.ts'
import { openShards, runAndWrite } from '../run-shard.ts'
import { type Executor, graceAfter } from './executor.ts'

/** Milliseconds of work between two looks at the event loop, so that Ctrl-C is noticed. */
const WORK = 100

/** Milliseconds before the first estimate, which code that is not yet compiled would make too long. */
const ESTIMATE_AFTER = 3000

/** Milliseconds of shards that are worth more threads: each takes a second or more to start and to open the indexes. */
const WORTH_THREADS = 10_000

/** Runs shards one after another in this process. `more` gets those that are left once they would take ten seconds here. */
export function inProcess(clock: () => number, more?: Executor): Executor {
  return {
    async run(folder, shards, done, signal) {
      if (shards.length === 0) return
      const late = graceAfter(signal)
      const waiting = [...shards]
      let help: Promise<void> | undefined
      let finished = 0
      const session = await openShards(folder)
      const begin = clock()
      const askForHelp = () => {
        const elapsed = clock() - begin
        const left = (elapsed / Math.max(1, finished)) * waiting.length
        if (!more || elapsed < ESTIMATE_AFTER || left < WORTH_THREADS) return
        help = more.run(folder, waiting.splice(0), done, signal)
        // Awaited below, after the shard of this process.
        help.catch(() => {})
      }
      let looked = clock()
      const pause = async () => {
        if (clock() - looked >= WORK) {
          askForHelp()
          await setImmediate()
          looked = clock()
        }
        late.throwIfAborted()
      }
      try {
        for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
          if (wasStopped(signal)) return
          done(await runAndWrite(session, shard, clock, pause))
          finished++
          askForHelp()
        }
      } catch (error) {
        if (!late.aborted && !(error instanceof Stopped)) throw error
      } finally {
        await Promise.allSettled([help, session.store.close()])
      }
      await help
    },
  }
}
