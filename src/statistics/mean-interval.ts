import { isShare, type Range, within } from '../metrics/range.ts'
import type { Clusters } from './clusters.ts'
import { studentQuantile } from './distributions.ts'
import { errorOf, macroMean, type Strata } from './strata.ts'

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
  return within({ low: Math.min(mean, paddedMean - half), high: Math.max(mean, paddedMean + half) }, range)
}

function addedSize(clusters: Clusters | undefined): number {
  return clusters ? Math.round(Math.sqrt(clusters.length / new Set(Array.from(clusters)).size)) : 1
}
