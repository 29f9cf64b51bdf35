import type { ShardQuality } from '../best-so-far.ts'

/**
 * Runs shards of an experiment folder, wherever. Every executor keeps one protocol: `run-shard(folder, shard)` writes
 * the part. What it opened for a folder stays open until it is closed or asked for another folder.
 */
export interface Executor {
  readonly name: string
  /** Runs `shards` and calls `done` after each. Stops taking new ones when `signal` is aborted. Rejects with the first error. */
  run(
    folder: string,
    shards: readonly number[],
    done: (report: ShardReport) => void,
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

/** What is left to tell once a part is written. */
export interface ShardReport {
  readonly shard: number
  /** Milliseconds spent in each step's own computation, by step name. */
  readonly milliseconds: Readonly<Record<string, number>>
  readonly quality: ShardQuality
}
