import { throwIfStopping } from '../stopping.ts'
import type { ShardReport } from './executors/executor.ts'
import { findEarlierRows } from './shard/earlier-rows.ts'
import { writePart } from './shard/parts.ts'
import { openSession, type Session } from './shard/session.ts'
import { runShard } from './shard/shard.ts'

/** Opens an experiment to run its shards, and finds the rows that earlier parts have. */
export async function openShards(folder: string): Promise<Session> {
  const session = await openSession(folder)
  return { ...session, earlier: findEarlierRows(session) }
}

/** Protocol of every executor: runs a shard and writes its part. `pause` is called between pieces of work. */
export async function runAndWrite(
  session: Session,
  shard: number,
  clock: () => number,
  pause?: () => Promise<void>,
): Promise<ShardReport> {
  const { folder, plan, measures } = session
  const result = await runShard(session, shard, clock, pause)
  // A query that failed since the request to stop, as by a cancelled call, did not fail by itself.
  if (result.trials.some(({ failures }) => failures !== null)) throwIfStopping()
  writePart(
    folder,
    plan.hash,
    measures.map(({ name }) => name),
    result,
  )
  return { shard, milliseconds: Object.fromEntries(result.milliseconds) }
}
