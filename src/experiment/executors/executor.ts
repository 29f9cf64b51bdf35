import type { LongTables } from '../finish/write-rows.ts'

/** Runs shards; writes one part per shard. */
export interface Executor {
  /**
   * Calls `done` after each shard. Takes no new one once `signal` is aborted. Rejects with the first error. Resources
   * are closed when the promise settles.
   */
  run(
    folder: string,
    shards: readonly number[],
    done: (report: ShardReport) => void,
    signal: AbortSignal,
  ): Promise<void>
  writeRows?(rows: LongTables): Promise<void>
}

export interface ShardReport {
  readonly shard: number
  /** Keyed by step. */
  readonly milliseconds: Readonly<Record<string, number>>
}

/** Milliseconds that work may take after a request to stop. */
const GRACE = 3000

export function graceAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const begin = () => void setTimeout(() => late.abort(), GRACE).unref()
  signal.addEventListener('abort', begin)
  return late.signal
}
