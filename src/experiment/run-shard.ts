import { throwIfStopping } from '../stopping.ts'
import type { ShardReport } from './executors/executor.ts'
import { qualityOf } from './shard/best-so-far.ts'
import { writePart } from './shard/parts.ts'
import type { Session } from './shard/session.ts'
import { runShard } from './shard/shard.ts'

/** Protocol of every executor: runs a shard and writes its part. `pause` is called between pieces of work. */
export async function runAndWrite(
  session: Session,
  shard: number,
  clock: () => number,
  pause?: () => Promise<void>,
): Promise<ShardReport> {
  const { folder, plan, measures, trials } = session
  const result = await runShard(session, shard, clock, pause)
  // A query that failed since the request to stop, as by a cancelled call, did not fail by itself.
  if (result.failures.some((failure) => failure !== null)) throwIfStopping()
  writePart(
    folder,
    plan.hash,
    measures.map(({ name }) => name),
    result,
  )
  const primary = measures.findIndex(({ name }) => name === plan.experiment.compare.by)
  const quality = qualityOf(result, trials.length, measures.length, primary)
  return { shard, milliseconds: Object.fromEntries(result.milliseconds), quality }
}
