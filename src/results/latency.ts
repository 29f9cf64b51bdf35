import type { Percentile } from '../statistics/percentile.ts'

/**
 * `timings/latency.json`: what the latency pass measured, trials alone on one core after a warm-up. Beside the result,
 * never part of its hash. All times in milliseconds a query.
 */
export interface Latency {
  readonly trials: readonly TrialLatency[]
}

export interface TrialLatency {
  readonly id: string
  readonly name: string
  readonly queries: number
  readonly repeats: number
  readonly p50: Percentile
  readonly p95: Percentile
  readonly p99: Percentile
  /** The first query after opening the indexes. */
  readonly cold: number
}
