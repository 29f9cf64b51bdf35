import type { Comparison, Verdict } from '../statistics/comparison.ts'

export interface Estimate {
  readonly mean: number
  /** Interval of the mean at the experiment's level; null for trials of a large grid that are no finalists, and of one query. */
  readonly low: number | null
  readonly high: number | null
  /** Queries. */
  readonly n: number
}

export interface ComparisonSummary {
  readonly measure: string
  /** Names a trial id, or a tuned row as `tuned:<strategy>`. */
  readonly baseline: string
  readonly level: number
  readonly correction: string
  readonly family: string
  /** Differences whose whole interval is within plus or minus this are called equivalent; null where not asked. */
  readonly margin: number | null
  readonly draws: number
  /** Names of rows without a verdict: routers fitted in folds, which learn from the queries that score them. */
  readonly untested?: readonly string[]
  /** Queries were sampled by these clusters, as `compare.cluster` names them; absent where each was alone. */
  readonly cluster?: string
  readonly rows: readonly ComparedRow[]
  /**
   * Ids of the rows that cannot be told apart from the best, best first (Hsu's comparisons with the best); null if no test was
   * possible. Of more rows than `MAX_RANKED`, the best of each strategy are compared.
   */
  readonly close: readonly string[] | null
}

/** A comparison of two rows, which `id` and `baseline` name. */
export interface ComparedRow extends Omit<Comparison, 'strata'> {
  readonly id: string
  /** Differences by dataset; the verdict is from the dataset's own comparison, null if it did not test this pair. */
  readonly datasets: readonly (Comparison['strata'][number] & { readonly verdict: Verdict | null })[]
}
