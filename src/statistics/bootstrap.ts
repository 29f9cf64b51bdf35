import { createRandom } from './random.ts'
import { quantile } from './summarize.ts'

/**
 * Percentile bootstrap of a mean (Efron, 1979): n queries are drawn with replacement, `draws` times; the interval runs
 * between the level/2 and 1 - level/2 quantiles of their means. One set of resamples serves every row, so intervals do
 * not depend on which rows stand beside, and a paired interval is that of the differences.
 */

/** How often each draw holds each query: `counts[draw * n + query]`. */
export interface Resamples {
  readonly n: number
  readonly draws: number
  readonly counts: Uint8Array
}

/** Draws the resamples of n queries: draws * n bytes. */
export function drawResamples(n: number, draws: number, seed: number): Resamples {
  const random = createRandom(seed)
  const counts = new Uint8Array(n * draws)
  for (let draw = 0; draw < draws; draw++) {
    const from = draw * n
    // A byte overflows only where one query is picked 256 times of n: a chance below 1e-500 for any n.
    for (let pick = 0; pick < n; pick++) counts[from + random.below(n)]++
  }
  return { n, draws, counts }
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The interval of the mean of each row; rows are as long as the resamples are wide; of no queries, [0, 0]. */
export function bootstrapIntervals(
  rows: readonly ArrayLike<number>[],
  resamples: Resamples,
  level: number,
): Interval[] {
  const { n } = resamples
  if (n === 0) return rows.map(() => ({ low: 0, high: 0 }))
  const intervals: Interval[] = []
  eachRow(rows, resamples, (means) => intervals.push(percentileInterval(means.sort(), level)))
  return intervals
}

/** The interval of ascending means of draws. */
export function percentileInterval(ascending: Float64Array, level: number): Interval {
  return { low: quantile(ascending, level / 2), high: quantile(ascending, 1 - level / 2) }
}

/** Gives the means of each row in all draws, row after row; they may be written to, and hold during the call. */
export function eachRow(
  rows: readonly ArrayLike<number>[],
  resamples: Resamples,
  take: (means: Float64Array, row: number) => void,
): void {
  const { draws } = resamples
  for (let first = 0; first < rows.length; first += WIDTH) {
    const block = rows.slice(first, first + WIDTH)
    const means = resampledMeans(block, resamples)
    for (const place of block.keys()) take(means.subarray(place * draws, (place + 1) * draws), first + place)
  }
}

/** So many rows share one reading of the resamples: their sums do not wait for one another. */
const WIDTH = 8

/** The mean of each row in each draw, row after row. */
function resampledMeans(rows: readonly ArrayLike<number>[], { n, draws, counts }: Resamples): Float64Array {
  // The rows' values of a query lie side by side; a missing row is zeros.
  const values = new Float64Array(n * WIDTH)
  rows.forEach((row, place) => {
    for (let query = 0; query < n; query++) values[query * WIDTH + place] = row[query]
  })
  const means = new Float64Array(WIDTH * draws)
  for (let draw = 0; draw < draws; draw++) {
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0]
    for (let query = 0, from = draw * n, at = 0; query < n; query++, at += WIDTH) {
      const times = counts[from + query]
      a += times * values[at]
      b += times * values[at + 1]
      c += times * values[at + 2]
      d += times * values[at + 3]
      e += times * values[at + 4]
      f += times * values[at + 5]
      g += times * values[at + 6]
      h += times * values[at + 7]
    }
    const sums = [a, b, c, d, e, f, g, h]
    for (let place = 0; place < WIDTH; place++) means[place * draws + draw] = sums[place] / n
  }
  return means
}
