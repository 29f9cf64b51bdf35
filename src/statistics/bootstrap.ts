import { createLayout, openKernel } from '../kernel.ts'
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

/**
 * Gives the means of each row in all draws, row after row; they may be written to, and hold during the call, which must
 * not ask for rows of the same resamples.
 */
export function eachRow(
  rows: readonly ArrayLike<number>[],
  resamples: Resamples,
  take: (means: Float64Array, row: number) => void,
): void {
  const { n, draws } = resamples
  const { values, sums, run } = kernelOf(resamples)
  const means = new Float64Array(draws)
  for (let first = 0; first < rows.length; first += WIDTH) {
    const block = rows.slice(first, first + WIDTH)
    values.fill(0)
    block.forEach((row, place) => {
      for (let query = 0; query < n; query++) values[query * WIDTH + place] = row[query]
    })
    run()
    for (const place of block.keys()) {
      for (let draw = 0; draw < draws; draw++) means[draw] = sums[draw * WIDTH + place] / n
      take(means, first + place)
    }
  }
}

/** So many rows share one reading of the resamples: their sums do not wait for one another. */
const WIDTH = 8

/** The resamples in WebAssembly (resample.wat), for eight rows at a time. */
interface ResampleKernel {
  /** The rows' values of a query lie side by side; a missing row is zeros. */
  readonly values: Float64Array
  /** The rows' sums in a draw, side by side. */
  readonly sums: Float64Array
  run(): void
}

/** One set of resamples serves thousands of rows; it is laid into a kernel's memory once. */
const kernels = new WeakMap<Resamples, ResampleKernel>()

function kernelOf(resamples: Resamples): ResampleKernel {
  const known = kernels.get(resamples)
  if (known) return known
  const { n, draws, counts } = resamples
  const { place, bytes } = createLayout()
  const at = { counts: place(counts.length), values: place(8 * WIDTH * n), sums: place(8 * WIDTH * draws) }
  const { functions, memory } = openKernel<{
    sums(draws: number, n: number, counts: number, values: number, out: number): void
  }>(new URL('./resample.wasm', import.meta.url), bytes())
  new Uint8Array(memory, at.counts, counts.length).set(counts)
  const kernel = {
    values: new Float64Array(memory, at.values, WIDTH * n),
    sums: new Float64Array(memory, at.sums, WIDTH * draws),
    run: () => functions.sums(draws, n, at.counts, at.values, at.sums),
  }
  kernels.set(resamples, kernel)
  return kernel
}
