import type { LongTables } from '../finish/write-rows.ts'
import type { ShardQuality } from '../shard/best-so-far.ts'

/**
 * Runs shards of an experiment folder, wherever. Every executor keeps one protocol: `run-shard(folder, shard)` writes
 * the part.
 */
export interface Executor {
  readonly name: string
  /**
   * Runs the shards of each of `rounds`, all of one before any of the next, and calls `done` after each shard. Stops taking new ones when `signal` is aborted. Rejects with the first
   * error. Whatever it opened is closed when it settles.
   */
  run(
    folder: string,
    rounds: readonly (readonly number[])[],
    done: (report: ShardReport) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Where this is there it is called instead: begins the work and leaves it to others, which it names in words. */
  submit?(folder: string, rounds: readonly (readonly number[])[]): Promise<string>
  /** `writeRows`, beside this thread, where an executor can; without it the run writes the rows itself. */
  writeRows?(rows: LongTables): Promise<void>
}

/** What is left to tell once a part is written. */
export interface ShardReport {
  readonly shard: number
  /** Milliseconds spent in each step's own computation, by step name; absent where another machine ran it, as `quality`. */
  readonly milliseconds?: Readonly<Record<string, number>>
  readonly quality?: ShardQuality
}
