import { performance } from 'node:perf_hooks'
import { workerData } from 'node:worker_threads'
import { type Mistake, UserError } from '../../errors.ts'
import { diskError } from '../../store/disk-errors.ts'
import { type KeptShard, keepShard } from '../keep-shard.ts'
import { runAndWrite } from '../run-shard.ts'
import { openSession, type Session } from '../session.ts'
import type { ShardReport } from './executor.ts'

/** What a thread is sent: a shard to run, or to keep the rankings of these finalists on. */
export interface Task {
  readonly shard: number
  readonly finalists?: readonly number[]
}

/** The thread's side of `threads`: opens the experiment once, then does the tasks it is sent. */
export type Outcome = ShardReport | KeptShard | { readonly mistakes: readonly Mistake[] }

// tinypool hands a worker [its own data, the pool's workerData].
const { folder } = workerData[1] as { folder: string }
const clock = () => performance.now()
let session: Promise<Session> | undefined

export default async function run({ shard, finalists }: Task): Promise<Outcome> {
  try {
    session ??= openSession(folder)
    if (finalists) return await keepShard(await session, shard, finalists, clock)
    return await runAndWrite(await session, shard, clock)
  } catch (error) {
    const told = error instanceof UserError ? error : diskError(error)
    if (told) return { mistakes: told.mistakes }
    throw error
  }
}
