import { keepShard } from '../keep-shard.ts'
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

  async function each(
    folder: string,
    shards: readonly number[],
    signal: AbortSignal,
    run: (session: Session, shard: number) => Promise<void>,
  ): Promise<void> {
    if (shards.length === 0) return
    if (session?.folder !== folder) await close()
    session ??= await openSession(folder)
    for (const shard of shards) {
      if (signal.aborted) return
      await run(session, shard)
    }
  }

  return {
    name: 'in-process',
    run: (folder, shards, done, signal) =>
      each(folder, shards, signal, async (session, shard) => done(await runAndWrite(session, shard, clock))),
    keep: (folder, shards, finalists, done, signal) =>
      each(folder, shards, signal, async (session, shard) =>
        done(await keepShard(session, shard, finalists, clock)),
      ),
    close,
  }
}
