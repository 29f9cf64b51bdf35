import { shellWord } from '../../text/shown-path.ts'
import type { LongTables } from '../finish/write-rows.ts'
import type { ShardQuality } from '../shard/best-so-far.ts'

/** Runs shards of an experiment folder. Every executor keeps one protocol: `run-shard(folder, shard)` writes the part. */
export interface Executor {
  readonly name: string
  /**
   * Runs the shards in any order and calls `done` after each. Takes no new shard once `signal` is aborted. Rejects with the
   * first error. All resources are closed when the promise settles.
   */
  run(
    folder: string,
    shards: readonly number[],
    done: (report: ShardReport) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Replaces `run` if present: submits the work to other processes and returns a description of it. */
  submit?(folder: string, shards: readonly number[]): Promise<string>
  /** Runs `writeRows` in another thread; if absent, the run writes the rows itself. */
  writeRows?(rows: LongTables): Promise<void>
}

/** Report of one shard after its part is written. */
export interface ShardReport {
  readonly shard: number
  /** Milliseconds of computation by step name; absent, like `quality`, if another machine ran the shard. */
  readonly milliseconds?: Readonly<Record<string, number>>
  readonly quality?: ShardQuality
}

/** Milliseconds that work in progress may take after a request to stop; a dropped shard is run again on resuming. */
const GRACE = 3000

/** Signal that is aborted `GRACE` milliseconds after `signal`. */
export function graceAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const begin = () => void setTimeout(() => late.abort(), GRACE).unref()
  signal.addEventListener('abort', begin)
  return late.signal
}

/** Leaves every shard to external `run-shard` processes; running the same command again collects their parts. */
export function elsewhere(): Executor {
  return {
    name: 'elsewhere',
    async submit(folder, shards) {
      return `planned ${shards.length} shards: ${shards[0]} to ${shards.at(-1)}. Run each, anywhere that sees ${folder} and the store: touchstone run-shard --plan ${shellWord(folder)} --shard N. Then the same command without --detach collects them`
    },
    run: () => Promise.reject(new Error('shards that are left to others are not run here')),
  }
}
