import { studentTail } from './distributions.ts'
import { drawFlips, flippedSums } from './flips.ts'
import { halfWidth, jointError, type Repeats } from './repeats.ts'
import { BLOCK } from './selection.ts'
import { errorOf, macroMean, type Strata, weighted } from './strata.ts'
import { momentsOf } from './summarize.ts'
import { FEWEST_QUERIES } from './verdict.ts'

/**
 * Intervals of the means of rows that are read as a ranking: the one on top is there by luck too, and its own interval
 * alone would hold its true mean in 55 of 100 grids of 200 equal trials. So the tail that an interval leaves out is
 *
 *     P(T > c), where P(max over rows of T* > c) + P(T > c) = level,
 *
 * T* of sign flips of the rows about their own means, all flipped together: whichever row is picked for being high, its true
 * mean is below the interval with the first chance, and above it with the second. Of one row that is Student's interval.
 */
export function selectedTail(
  rows: readonly Strata[],
  { level, draws, seed }: { readonly level: number; readonly draws: number; readonly seed: number },
): number {
  const own = rows.map((row) => weighted(row.map(centred)))
  const n = own[0]?.length ?? 0
  const scales = own.map((row) => 1 / Math.hypot(...row)).map((scale) => (Number.isFinite(scale) ? scale : 0))
  if (n < FEWEST_QUERIES || own.length === 1) return level / 2
  // The quantile is read off the middle of the tail, where a few thousand draws say enough.
  const flips = drawFlips(n, Math.min(draws, MOST_DRAWS), seed)
  const highest = new Float64Array(flips.draws)
  const sums = new Float64Array(BLOCK)
  for (let begin = 0; begin < flips.draws; begin += BLOCK) {
    const end = Math.min(flips.draws, begin + BLOCK)
    for (const [row, values] of own.entries()) {
      flippedSums(values, flips, begin, end, sums)
      for (let draw = begin; draw < end; draw++)
        highest[draw] = Math.max(highest[draw], sums[draw - begin] * scales[row])
    }
  }
  const tails = highest.sort().map((sum) => studentTail(sum * Math.sqrt((n - 1) / (n - sum * sum)), n - 1))
  // From the highest draw on: its tail is the smallest.
  for (let above = 0; above < tails.length; above++) {
    const tail = tails[tails.length - 1 - above]
    if (above / tails.length + tail >= level) return Math.min(tail, level / 2)
  }
  return level / 2
}

const MOST_DRAWS = 2000

/**
 * Student's interval of the (macro) mean at a tail. Values from 0 to 1 get one 0 and one 1 beside them (Agresti and Coull,
 * American Statistician 52, 1998, for shares): few values that are nearly all the same vary more than they show. Null of
 * fewer than two values.
 */
export function meanInterval(
  strata: Strata,
  tail: number,
  bounded: boolean,
  repeats?: Repeats,
): { readonly low: number | null; readonly high: number | null } {
  if (strata.some(({ length }) => length < 2)) return { low: null, high: null }
  const seen = macroMean(strata)
  const padded = bounded ? strata.map((values) => Float64Array.of(...Array.from(values), 0, 1)) : strata
  const own = errorOf(padded)
  const error = jointError({ ...own, df: strata.length === 1 ? strata[0].length - 1 : own.df }, repeats)
  if (own.spread === 0 && !error.seeds) return { low: seen, high: seen }
  const mean = macroMean(padded)
  const half = halfWidth(error, tail)
  const [low, high] = [Math.min(seen, mean - half), Math.max(seen, mean + half)]
  return bounded ? { low: Math.max(0, low), high: Math.min(1, high) } : { low, high }
}

function centred(values: ArrayLike<number>): Float64Array {
  const { mean } = momentsOf(values)
  return Float64Array.from({ length: values.length }, (_, query) => values[query] - mean)
}
