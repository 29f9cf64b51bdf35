import { type Clusters, clusterTotals } from './clusters.ts'
import { momentsOf } from './summarize.ts'

/** A row's values by stratum (dataset), or the differences of two rows. */
export type Strata = readonly ArrayLike<number>[]

/** Macro mean: the unweighted mean of the strata's means, so that a large dataset does not drown the others. */
export function macroMean(strata: Strata): number {
  return strata.reduce((sum, values) => sum + momentsOf(values).mean, 0) / strata.length
}

/**
 * Standard error of the macro mean over D strata, with its degrees of freedom (Satterthwaite, 1946):
 *
 *     error^2 = 1/D^2 sum_d V_d,    V_d = sd_d^2 / n_d,    df = n_d - 1 for one stratum
 *
 * With clusters V_d is the cluster jackknife's (CV3: MacKinnon, Nielsen and Webb, Journal of Econometrics 232, 2023): with T_g
 * the sum of a cluster's values and m_g its queries,
 *
 *     V_d = (G - 1) / G sum_g ((T_g - m_g mean) / (n - m_g))^2,    df = G - 1
 *
 * which is sd^2 / n if each query is a cluster. NaN if a stratum has fewer than two values or clusters.
 */
export function errorOf(strata: Strata, clusters?: readonly Clusters[]): { error: number; df: number } {
  const parts = strata.map((values, stratum) => {
    const { n, mean, sd } = momentsOf(values)
    if (!clusters) return { variance: n < 2 ? Number.NaN : sd ** 2 / n, df: n - 1 }
    const { totals, sizes } = clusterTotals(values, clusters[stratum])
    const squares = totals.reduce(
      (sum, total, g) => sum + ((total - sizes[g] * mean) / (n - sizes[g])) ** 2,
      0,
    )
    return { variance: ((totals.length - 1) / totals.length) * squares, df: totals.length - 1 }
  })
  const variance = parts.reduce((sum, part) => sum + part.variance, 0)
  const df =
    parts.length === 1
      ? parts[0].df
      : variance ** 2 / parts.reduce((sum, part) => sum + part.variance ** 2 / part.df, 0)
  return { error: Math.sqrt(variance) / strata.length, df }
}
