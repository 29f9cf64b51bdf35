import { runAndWrite } from '../run-shard.ts'
import { openSession, type Session } from '../session.ts'
import type { Executor } from './executor.ts'

/** Shards one after another in this process. */
export function inProcess(clock: () => number): Executor {
  let session: Session | undefined

  async function close(): Promise<void> {
    const open = session
    session = undefined
    await open?.store.close()
  }

  return {
    name: 'in-process',
    async run(folder, shards, done, signal) {
      if (shards.length === 0) return
      if (session?.folder !== folder) await close()
      session ??= await openSession(folder)
      for (const shard of shards) {
        if (signal.aborted) return
        done(await runAndWrite(session, shard, clock))
      }
    },
    close,
  }
}
