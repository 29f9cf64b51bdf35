import { clamped, isShare, type Range } from '../metrics/range.ts'
import { studentQuantile, studentTail } from './distributions.ts'
import { type Clusters, errorOf, macroMean, momentsOf, type Strata } from './moments.ts'
import { FEWEST_QUERIES } from './sample.ts'

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
  /** Cluster of each difference; the error is then the cluster jackknife's. */
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

/**
 * Student's interval of the (macro) mean at 1 - level, cut to the range. Shares get one 0 and one 1 added (Agresti and
 * Coull, American Statistician 52, 1998); with clusters, a cluster of each, of the square root of the mean size. Null
 * for fewer than two values, or clusters, in a stratum.
 */
export function meanInterval(
  strata: Strata,
  level: number,
  range: Range,
  clusters?: readonly Clusters[],
): { readonly low: number | null; readonly high: number | null } {
  const plain = errorOf(strata, clusters)
  if (Number.isNaN(plain.error)) return { low: null, high: null }
  const extended = (lists: Strata, zeros: number, ones: number) =>
    lists.map((list, stratum) => {
      const size = addedSize(clusters?.[stratum])
      const added = [zeros, ones].flatMap((value) => new Array<number>(size).fill(value))
      return [...Array.from(list), ...added]
    })
  const padded = isShare(range) ? extended(strata, 0, 1) : strata
  const paddedClusters = clusters && isShare(range) ? extended(clusters, -1, -2) : clusters
  const { error, df } = errorOf(padded, paddedClusters)
  const [mean, paddedMean] = [macroMean(strata), macroMean(padded)]
  if (error === 0) return { low: mean, high: mean }
  const half = studentQuantile(level / 2, strata.length === 1 ? plain.df : df) * error
  return clamped({ low: Math.min(mean, paddedMean - half), high: Math.max(mean, paddedMean + half) }, range)
}

function addedSize(clusters: Clusters | undefined): number {
  return clusters ? Math.round(Math.sqrt(clusters.length / new Set(Array.from(clusters)).size)) : 1
}

/**
 * Fieller's interval of a ratio of two paired means (JRSS B 16, 1954): all r for which Student's t does not tell the
 * mean of a - r b from 0. Null if it has no ends, and for too few pairs.
 *
 *     (A - r B)^2 <= t^2 (v_aa - 2 r v_ab + r^2 v_bb),    A, B the means, v their (co)variances over n
 */
export function ratioInterval(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  level: number,
): { low: number; high: number } | null {
  const n = a.length
  if (n < FEWEST_QUERIES) return null
  const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / n
  const [A, B] = [mean(a), mean(b)]
  let [aa, ab, bb] = [0, 0, 0]
  for (let i = 0; i < n; i++) {
    aa += (a[i] - A) ** 2
    ab += (a[i] - A) * (b[i] - B)
    bb += (b[i] - B) ** 2
  }
  const scale = studentQuantile(level / 2, n - 1) ** 2 / (n * (n - 1))
  const [square, middle, rest] = [B ** 2 - scale * bb, A * B - scale * ab, A ** 2 - scale * aa]
  if (square <= 0) return null
  const reach = Math.sqrt(Math.max(0, middle ** 2 - square * rest))
  return { low: (middle - reach) / square, high: (middle + reach) / square }
}

/**
 * Percentile with its interval: the least value that at least a share q of the values does not exceed. So p99 of 50
 * values is their maximum.
 */
export interface Percentile {
  readonly value: number
  /** Ends of the interval; null where there are too few values to bound the percentile on that side. */
  readonly low: number | null
  readonly high: number | null
}

/**
 * Percentiles `qs` (0 to 1), each with an interval of order statistics: the number of values below the true one is
 * binomial (n, q). For p95 and 95 % the upper rank exists from 72 values on, for p99 from 368.
 */
export function percentiles(values: ArrayLike<number>, qs: readonly number[], level: number): Percentile[] {
  const n = values.length
  if (n === 0) throw new Error('percentiles need at least one value')
  const ascending = Float64Array.from(values).sort()
  return qs.map((q) => {
    const [low, high] = enclosingRanks(n, q, level)
    return {
      value: ascending[Math.max(1, Math.ceil(q * n)) - 1],
      low: low < 1 ? null : ascending[low - 1],
      high: high > n ? null : ascending[high - 1],
    }
  })
}

/** The highest and the lowest rank (from 1) that the q-percentile of n values is below or above with at most level / 2. */
function enclosingRanks(n: number, q: number, level: number): [number, number] {
  let low = 0
  let below = 0
  // The log of the chance that exactly `count` values lie below.
  let chance = n * Math.log1p(-q)
  for (let count = 0; count < n; count++) {
    below += Math.exp(chance)
    if (below <= level / 2) low = count + 1
    if (below >= 1 - level / 2) return [low, count + 1]
    chance += Math.log((n - count) / (count + 1)) + Math.log(q / (1 - q))
  }
  return [low, n + 1]
}
