import type { ShardReport } from './executors/executor.ts'
import { writePart } from './parts.ts'
import type { Session } from './session.ts'
import { runShard } from './shard.ts'

/** The one protocol of every executor: runs a shard and writes its part. */
export async function runAndWrite(
  session: Session,
  shard: number,
  clock: () => number,
): Promise<ShardReport> {
  const { folder, plan, measures } = session
  const result = await runShard(session, shard, clock)
  writePart(
    folder,
    plan.hash,
    measures.map(({ name }) => name),
    result,
  )
  return { shard, milliseconds: Object.fromEntries(result.milliseconds) }
}
