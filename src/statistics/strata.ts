import { momentsOf } from './summarize.ts'

/**
 * The macro mean over D strata (datasets): the unweighted mean of their means, so that a large one does not drown the
 * others. What is said of it holds for these datasets and other queries of theirs, not for other datasets:
 *
 *     macro = 1/D sum_d mean_d,    error^2 = 1/D^2 sum_d sd_d^2 / n_d,    df by Satterthwaite (1946)
 *
 * With one stratum it is the plain mean, with sd / sqrt(n) and n - 1.
 */

/** One row's values by stratum; every row of a call has as many in each. */
export type Strata = readonly ArrayLike<number>[]

export function macroMean(strata: Strata): number {
  return strata.reduce((sum, values) => sum + momentsOf(values).mean, 0) / strata.length
}

/** The standard error of the macro mean: `spread / root`. NaN where a stratum has fewer than two values. */
export function errorOf(strata: Strata): { spread: number; root: number; df: number } {
  const parts = strata.map((values) => {
    const { n, sd } = momentsOf(values)
    return { n, sd: n < 2 ? Number.NaN : sd }
  })
  // As one mean's formula has it, to the last bit.
  if (parts.length === 1) return { spread: parts[0].sd, root: Math.sqrt(parts[0].n), df: parts[0].n - 1 }
  const variances = parts.map(({ n, sd }) => sd ** 2 / n)
  const variance = variances.reduce((sum, one) => sum + one, 0)
  const df = variance ** 2 / variances.reduce((sum, one, index) => sum + one ** 2 / (parts[index].n - 1), 0)
  return { spread: Math.sqrt(variance), root: strata.length, df }
}

/** The values of all strata, each as it weighs in the macro mean: 1/(D n_d); of one stratum as they are. */
export function weightedByStratum(strata: Strata): Float64Array {
  if (strata.length === 1) return Float64Array.from(strata[0])
  return Float64Array.from(
    strata.flatMap((values) => Array.from(values, (value) => value / (strata.length * values.length))),
  )
}
