import { performance } from 'node:perf_hooks'
import { workerData } from 'node:worker_threads'
import { type Diagnostic, UserError } from '../../errors.ts'
import { Stopped } from '../../stopping.ts'
import { diskError } from '../../store/write.ts'
import { openShards, runAndWrite } from '../run-shard.ts'
import type { Session } from '../shard/session.ts'
import type { ShardReport } from './executor.ts'

/** Worker side of `threads`: opens the experiment once, then runs the shards it receives. */
export type ShardOutcome = ShardReport | { readonly diagnostics: readonly Diagnostic[] } | 'stopped'

// tinypool passes [its own data, the pool's workerData].
const { folder } = workerData[1] as { folder: string }
const clock = () => performance.now()
let session: Promise<Session> | undefined

export default async function run(shard: number): Promise<ShardOutcome> {
  try {
    session ??= openShards(folder)
    return await runAndWrite(await session, shard, clock)
  } catch (error) {
    if (error instanceof Stopped) return 'stopped'
    const userError = error instanceof UserError ? error : diskError(error)
    if (userError) return { diagnostics: userError.diagnostics }
    throw error
  }
}
