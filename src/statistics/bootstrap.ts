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

/** The interval of the mean of one row of values, as long as the resamples are wide; of none, [0, 0]. */
export function bootstrapInterval(values: ArrayLike<number>, resamples: Resamples, level: number): Interval {
  const { n, draws, counts } = resamples
  if (n === 0) return { low: 0, high: 0 }
  const row = Float64Array.from(values)
  const means = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) means[draw] = weightedSum(counts, draw * n, row) / n
  means.sort()
  return { low: quantile(means, level / 2), high: quantile(means, 1 - level / 2) }
}

/** Four sums at a time: they do not wait for one another. */
function weightedSum(counts: Uint8Array, from: number, row: Float64Array): number {
  const n = row.length
  const even = n - (n % 4)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let place = 0; place < even; place += 4) {
    a += counts[from + place] * row[place]
    b += counts[from + place + 1] * row[place + 1]
    c += counts[from + place + 2] * row[place + 2]
    d += counts[from + place + 3] * row[place + 3]
  }
  for (let place = even; place < n; place++) a += counts[from + place] * row[place]
  return a + b + (c + d)
}
