/** Runs shards of an experiment folder. Every executor writes one part per shard. */
export interface Executor {
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
}

/** Report of one shard after its part is written. */
export interface ShardReport {
  readonly shard: number
  /** Milliseconds of computation by step name. */
  readonly milliseconds: Readonly<Record<string, number>>
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
