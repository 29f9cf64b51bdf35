import { studentQuantile } from './distributions.ts'
import { errorOf, macroMean, type Strata } from './strata.ts'

/**
 * A stochastic row, run on n queries with R seeds: queries and seeds are both samples. With
 *
 *     y_qr = mean + a_q + b_r + e_qr,    sd a between queries, b between seeds, e the rest
 *
 * the mean over all has the variance a^2/n + b^2/R + e^2/(nR). The queries' means over the seeds show a^2/n + e^2/(nR),
 * so that an interval of these alone forgets the seeds: every query has the same ones. The rest comes from the analysis of
 * variance (Searle, Casella and McCulloch, Variance Components, 1992, 4.7; random effects, crossed, one value a cell):
 *
 *     V1 = error^2 of the queries' means,    V2 = variance of the R means / R - MSE / (nR), at least 0
 *
 * V2 has as few as R - 1 degrees of freedom, and Student's t of one pooled variance holds too seldom there. So each variance keeps
 * its own t (Banerjee, Annals of the Institute of Statistical Mathematics 12, 1960), which holds at least as often as it says:
 *
 *     mean +- sqrt( t(n - 1)^2 V1 + t(R - 1)^2 V2 )
 *
 * Over D strata the R means are macro means, and MSE / (nR) the sum of each stratum's over D^2 (strata.ts).
 */
export interface JointError {
  /** V1, as strata.ts has it: its root is `spread / root`. */
  readonly queries: { readonly spread: number; readonly root: number; readonly df: number }
  /** V2; null where nothing was repeated, or the seeds decide nothing that can be seen. */
  readonly seeds: { readonly variance: number; readonly df: number } | null
}

/** Variance components of a repeated row's mean; each is the square of a standard error. */
export interface ErrorParts {
  /** a^2/n. */
  readonly queries: number
  /** b^2/R. */
  readonly repeats: number
  /** e^2/(nR). */
  readonly rest: number
}

interface Seeds {
  /** The variance of the R means / R, and MSE / (nR). */
  readonly means: number
  readonly rest: number
}

/** The values of all repeats, by repeat and stratum, as long as the queries' means are. Two repeats at least. */
export type Repeats = readonly Strata[]

function seedsOf(repeats: Repeats): Seeds {
  const R = repeats.length
  const means = repeats.map(macroMean)
  const mean = means.reduce((sum, one) => sum + one, 0) / R
  const between = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (R - 1)
  const D = repeats[0].length
  let rest = 0
  for (let stratum = 0; stratum < D; stratum++) {
    const drawn = repeats.map((strata) => strata[stratum])
    const n = drawn[0].length
    if (n < 2) continue
    const df = (n - 1) * (R - 1)
    rest += squaresLeft(drawn) / df / (n * R) / D ** 2
  }
  return { means: between / R, rest }
}

/** The sum of squares of what neither the query nor the seed explains. */
function squaresLeft(values: readonly ArrayLike<number>[]): number {
  const R = values.length
  const n = values[0].length
  const seeds = values.map((repeat) => Array.from(repeat).reduce((sum, value) => sum + value, 0) / n)
  const whole = seeds.reduce((sum, mean) => sum + mean, 0) / R
  let squares = 0
  for (let query = 0; query < n; query++) {
    let sum = 0
    for (const row of values) sum += row[query]
    for (let repeat = 0; repeat < R; repeat++)
      squares += (values[repeat][query] - sum / R - seeds[repeat] + whole) ** 2
  }
  return squares
}

/** The error of a mean whose queries' own is `queries`. */
export function jointError(queries: JointError['queries'], repeats: Repeats | undefined): JointError {
  if (!repeats) return { queries, seeds: null }
  const { means, rest } = seedsOf(repeats)
  return {
    queries,
    seeds: means > rest ? { variance: means - rest, df: repeats.length - 1 } : null,
  }
}

/** Half of the interval that leaves out `tail` on either side. */
export function halfWidth({ queries: { spread, root, df }, seeds }: JointError, tail: number): number {
  const reach = (studentQuantile(tail, df) * spread) / root
  return seeds ? Math.hypot(reach, studentQuantile(tail, seeds.df) * Math.sqrt(seeds.variance)) : reach
}

/** The tail whose interval ends at `distance`: bisection. */
export function tailAt(error: JointError, distance: number): number {
  let [low, high] = [0, 0.5]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (halfWidth(error, middle) > distance) low = middle
    else high = middle
  }
  return high
}

/** Variance components of the error. Estimates below 0 are 0. */
export function errorParts(values: Strata, repeats: Repeats): ErrorParts {
  const { spread, root } = errorOf(values)
  const { means, rest } = seedsOf(repeats)
  return {
    queries: Math.max(0, (spread / root) ** 2 - rest),
    repeats: Math.max(0, means - rest),
    rest,
  }
}
