import type { Comparison, Verdict } from '../statistics/comparison.ts'

export interface Estimate {
  readonly mean: number
  /** Interval at the experiment's level; null for non-finalists of a large grid and for one query. */
  readonly low: number | null
  readonly high: number | null
  readonly n: number
}

export interface ComparisonSummary {
  readonly measure: string
  /** Id of a trial, or `tuned:<strategy>`. */
  readonly baseline: string
  readonly level: number
  readonly correction: string
  readonly family: string
  /** Margin of equivalence; null if not asked. */
  readonly margin: number | null
  readonly draws: number
  /** Names of rows without a verdict: routers fitted in folds learn from the queries that score them. */
  readonly untested?: readonly string[]
  /** Clusters by which queries were sampled (`compare.cluster`). */
  readonly cluster?: string
  readonly rows: readonly ComparedRow[]
  /**
   * Ids of rows not distinguishable from the best, best first (Hsu's comparisons with the best); null without a test.
   * Of more rows than `MAX_RANKED`, the best of each strategy are compared.
   */
  readonly close: readonly string[] | null
}

export interface ComparedRow extends Omit<Comparison, 'strata'> {
  readonly id: string
  /** Differences by dataset; `verdict` is of the dataset's own test, null if untested there. */
  readonly datasets: readonly (Comparison['strata'][number] & { readonly verdict: Verdict | null })[]
}
