import type { Clusters } from './clusters.ts'
import { studentQuantile, studentTail } from './distributions.ts'
import { errorOf } from './strata.ts'
import { momentsOf } from './summarize.ts'

/** Student's paired t: mean difference over its standard error, n - 1 degrees of freedom. */
export interface TTest {
  /** NaN if the differences do not vary. */
  readonly t: number
  /** Two-sided p, and p corrected by Bonferroni. */
  readonly p: number
  readonly adjusted: number
  /** Interval of the mean difference at 1 - level, simultaneous over the comparisons. */
  readonly low: number
  readonly high: number
}

export interface TTestOptions {
  /** Significance level, 0.05 by default. */
  readonly level?: number
  /** Number of comparisons of the family, 1 by default. */
  readonly comparisons?: number
  /** Cluster of each difference; the error is then the cluster jackknife's (strata.ts). */
  readonly clusters?: Clusters | undefined
}

/** Tests paired differences against 0; needs two or more. */
export function tTest(
  differences: ArrayLike<number>,
  { level = 0.05, comparisons = 1, clusters }: TTestOptions = {},
): TTest {
  const { mean } = momentsOf(differences)
  const { error, df } = errorOf([differences], clusters && [clusters])
  if (!(error > 0)) return { t: Number.NaN, p: Number.NaN, adjusted: Number.NaN, low: mean, high: mean }
  const t = mean / error
  const p = Math.min(1, 2 * studentTail(Math.abs(t), df))
  const reach = studentQuantile(level / 2 / comparisons, df) * error
  return { t, p, adjusted: Math.min(1, p * comparisons), low: mean - reach, high: mean + reach }
}
