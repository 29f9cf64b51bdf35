import { studentQuantile, studentTail } from './distributions.ts'
import { drawFlips, flippedSums } from './flips.ts'
import { isShare, type Range, within } from './range.ts'
import { BLOCK } from './selection.ts'
import { errorOf, macroMean, type Strata, weightedByStratum } from './strata.ts'
import { momentsOf } from './summarize.ts'
import { layOut, reachOfTuned } from './tuned-selection.ts'
import { FEWEST_QUERIES } from './verdict.ts'

/**
 * Intervals of the means of rows that are read as a ranking: the one on top is there by luck too, and its own interval
 * alone would hold its true mean in 55 of 100 grids of 200 equal trials. So the tail that an interval leaves out is
 *
 *     P(T > c), where P(max over rows of T* > c) + P(T > c) = level,
 *
 * T* of sign flips of the rows about their own means, all flipped together: whichever row is picked for being high, its true
 * mean is below the interval with the first chance, and above it with the second. Of one row that is Student's interval. Rows tuned
 * in folds are chosen again in every draw, even one alone: the choice makes its queries depend on one another.
 */
export function selectedTail(
  rows: readonly Strata[],
  {
    level,
    draws,
    seed,
    tuned,
  }: {
    readonly level: number
    readonly draws: number
    readonly seed: number
    readonly tuned?: TunedRows | undefined
  },
): number {
  const n = rows[0]?.reduce((sum, { length }) => sum + length, 0) ?? 0
  const chosen = tuned?.trials.some(({ length }) => length > 1) ? tuned : null
  if (n < FEWEST_QUERIES || (rows.length === 1 && !chosen)) return level / 2
  // The quantile is read off the middle of the tail, where a few thousand draws say enough.
  const most = Math.min(draws, MAX_DRAWS)
  const highest = chosen ? highestOfTuned(chosen, most, seed) : highestOf(rows, n, most, seed)
  const tails = highest.sort().map((sum) => studentTail(sum * Math.sqrt((n - 1) / (n - sum * sum)), n - 1))
  // From the highest draw on: its tail is the smallest.
  for (let above = 0; above < tails.length; above++) {
    const tail = tails[tails.length - 1 - above]
    if (above / tails.length + tail >= level) return Math.min(tail, level / 2)
  }
  return level / 2
}

/** Maximum of the flipped rows by draw, in standard errors of each row. */
function highestOf(rows: readonly Strata[], n: number, draws: number, seed: number): Float64Array {
  const weighted = rows.map((row) => weightedByStratum(row.map(centred)))
  const scales = weighted
    .map((row) => 1 / Math.hypot(...row))
    .map((scale) => (Number.isFinite(scale) ? scale : 0))
  const flips = drawFlips(n, draws, seed)
  const highest = new Float64Array(flips.draws)
  const sums = new Float64Array(BLOCK)
  for (let begin = 0; begin < flips.draws; begin += BLOCK) {
    const end = Math.min(flips.draws, begin + BLOCK)
    for (const [row, values] of weighted.entries()) {
      flippedSums(values, flips, begin, end, sums)
      for (let draw = begin; draw < end; draw++)
        highest[draw] = Math.max(highest[draw], sums[draw - begin] * scales[row])
    }
  }
  return highest
}

/** Trials behind rows tuned in folds, over the queries that count. */
export interface TunedRows {
  /** Weighted values by [row][trial][query]; weights are those of the macro mean. */
  readonly trials: readonly (readonly Float64Array[])[]
  readonly strata: readonly number[]
  readonly folds: readonly number[]
}

/** Maximum by draw for tuned rows: folds choose again in every draw (tuned-selection.ts), next to a row of zeros. */
function highestOfTuned({ trials, strata, folds }: TunedRows, draws: number, seed: number): Float64Array {
  const { parts, width } = layOut({ strata, folds })
  const flips = drawFlips(width, draws, seed)
  const rows = [...trials, [new Float64Array(folds.length)]]
  const contests = trials.map((_, a) => ({ a, b: trials.length, signed: true }))
  const reach = reachOfTuned({ rows, contests, strata, folds }, parts, flips)
  const highest = new Float64Array(flips.draws).fill(Number.NEGATIVE_INFINITY)
  for (let begin = 0; begin < flips.draws; begin += BLOCK) {
    const end = Math.min(flips.draws, begin + BLOCK)
    for (const row of reach(begin, end))
      for (let draw = begin; draw < end; draw++) highest[draw] = Math.max(highest[draw], row[draw - begin])
  }
  return highest
}

const MAX_DRAWS = 2000

/**
 * Student's interval of the (macro) mean at a tail, inside the range of the values. Shares get one 0 and one 1 next to
 * them (Agresti and Coull, American Statistician 52, 1998, for shares): few values that are nearly all the same vary
 * more than they show. Null of fewer than two values.
 */
export function meanInterval(
  strata: Strata,
  tail: number,
  range: Range,
): { readonly low: number | null; readonly high: number | null } {
  if (strata.some(({ length }) => length < 2)) return { low: null, high: null }
  const seen = macroMean(strata)
  const padded = isShare(range)
    ? strata.map((values) => Float64Array.of(...Array.from(values), 0, 1))
    : strata
  const error = errorOf(padded)
  const df = strata.length === 1 ? strata[0].length - 1 : error.df
  if (error.spread === 0) return { low: seen, high: seen }
  const mean = macroMean(padded)
  const half = (studentQuantile(tail, df) * error.spread) / error.root
  return within({ low: Math.min(seen, mean - half), high: Math.max(seen, mean + half) }, range)
}

function centred(values: ArrayLike<number>): Float64Array {
  const { mean } = momentsOf(values)
  return Float64Array.from({ length: values.length }, (_, query) => values[query] - mean)
}
