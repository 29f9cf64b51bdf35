import { drawResamples, eachRow, type Interval, percentileInterval } from './bootstrap.ts'
import { studentQuantile, studentTail } from './distributions.ts'
import { ROUNDING } from './power.ts'
import { drawFlips, type Flips, randomizationTest } from './randomization.ts'
import { momentsOf } from './summarize.ts'

/**
 * The macro mean over D strata (data sets): the unweighted mean of their means, so that a large one does not drown the
 * others. What is said of it holds for these data sets and other queries of theirs, not for other data sets:
 *
 *     macro = 1/D sum_d mean_d
 *     interval: percentile bootstrap, queries drawn with replacement within each stratum (Davison and Hinkley, 1997, 3.2)
 *     p: sign flips of every query's paired difference, which weighs 1/(D n_d)
 *
 * Of one stratum all of this is the plain mean, interval and test (bootstrap.ts, randomization.ts).
 */

/** One row's values by stratum; every row of a call has as many in each. */
export type Strata = readonly ArrayLike<number>[]

export function macroMean(strata: Strata): number {
  return strata.reduce((sum, values) => sum + momentsOf(values).mean, 0) / strata.length
}

/** The interval of the macro mean of each row. Every stratum has a stream of draws of its own. */
export function macroIntervals(
  rows: readonly Strata[],
  { draws, seed, level }: { readonly draws: number; readonly seed: number; readonly level: number },
): Interval[] {
  const strata = rows[0]?.length ?? 0
  const sums = rows.map(() => new Float64Array(draws))
  for (let stratum = 0; stratum < strata; stratum++) {
    const own = rows.map((row) => row[stratum])
    if (own[0].length === 0) continue
    eachRow(own, drawResamples(own[0].length, draws, seedOf(seed, stratum)), (means, row) => {
      const sum = sums[row]
      for (let draw = 0; draw < draws; draw++) sum[draw] += means[draw]
    })
  }
  return sums.map((sum) =>
    percentileInterval(
      sum.map((total) => total / strata),
      level,
    ),
  )
}

/** The flips of all queries, stratum after stratum. */
export function drawMacroFlips(sizes: readonly number[], draws: number, seed: number): Flips {
  return drawFlips(
    sizes.reduce((sum, n) => sum + n, 0),
    draws,
    seed,
  )
}

/** p of one row of paired differences: two-sided, of the macro mean. */
export function macroTest(differences: Strata, flips: Flips): number {
  const weighted = differences.flatMap((values) =>
    Array.from(values, (value) => value / (differences.length * values.length)),
  )
  return randomizationTest(Float64Array.from(weighted), flips)
}

/**
 * The smallest macro difference that queries like these show with the chance `power`, as for one mean (power.ts). NaN
 * where a stratum has fewer than two queries.
 */
export function macroDetectable(differences: Strata, level: number, power = 0.8): number | null {
  const { error, df } = errorOf(differences)
  if (!(error >= ROUNDING)) return null
  return (studentQuantile(level / 2, df) + studentQuantile(1 - power, df)) * error
}

/** p of the claim that the macro difference lies within plus or minus `margin`, as for one mean (equivalence.ts). */
export function macroEquivalence(differences: Strata, margin: number): number {
  const { error, df } = errorOf(differences)
  const mean = macroMean(differences)
  if (error === 0) return Math.abs(mean) < margin ? 0 : 1
  return Math.max(studentTail((mean + margin) / error, df), studentTail((margin - mean) / error, df))
}

/** Standard error of the macro mean: the strata's errors added up, with Satterthwaite's degrees of freedom. */
function errorOf(strata: Strata): { error: number; df: number } {
  const parts = strata.map((values) => {
    const { n, sd } = momentsOf(values)
    return { n, variance: n < 2 ? Number.NaN : sd ** 2 / n }
  })
  const variance = parts.reduce((sum, part) => sum + part.variance, 0)
  const df = variance ** 2 / parts.reduce((sum, part) => sum + part.variance ** 2 / (part.n - 1), 0)
  return { error: Math.sqrt(variance) / strata.length, df }
}

/** The first stratum's is the seed itself; of equal seeds, strata of equal size would be drawn alike. */
function seedOf(seed: number, stratum: number): number {
  return seed + stratum * 2 ** 32
}
