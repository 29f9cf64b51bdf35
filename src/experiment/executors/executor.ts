import type { LongTables } from '../finish/write-rows.ts'
import type { ShardQuality } from '../shard/best-so-far.ts'

/** Runs shards of an experiment folder. Every executor keeps one protocol: `run-shard(folder, shard)` writes the part. */
export interface Executor {
  readonly name: string
  /**
   * Runs the shards of each round, finishing a round before the next, and calls `done` after each shard. Takes no new shard
   * once `signal` is aborted. Rejects with the first error. All resources are closed when the promise settles.
   */
  run(
    folder: string,
    rounds: readonly (readonly number[])[],
    done: (report: ShardReport) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Replaces `run` if present: submits the work to other processes and returns a description of it. */
  submit?(folder: string, rounds: readonly (readonly number[])[]): Promise<string>
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
