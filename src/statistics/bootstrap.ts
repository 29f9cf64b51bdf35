import { createLayout, openKernel } from '../kernel.ts'
import { stateOf } from './random.ts'
import type { Strata } from './strata.ts'
import { quantile } from './summarize.ts'

/**
 * Percentile bootstrap of a mean (Efron, 1979): n queries are drawn with replacement, `draws` times; the interval runs
 * between the level/2 and 1 - level/2 quantiles of their means. One set of resamples serves every row, so intervals do
 * not depend on which rows stand beside, and a paired interval is that of the differences.
 */

/** How often each draw holds each query, in the memory of a WebAssembly kernel (resample.wat) that sums rows by it. */
export interface Resamples {
  readonly n: number
  readonly draws: number
  /** `counts[draw * n + query]`. */
  readonly counts: Uint8Array
  /** Eight rows' values of a query lie side by side; a missing row is zeros. */
  readonly values: Float64Array
  /** The eight rows' sums in a draw, side by side, once `sum` was called. */
  readonly sums: Float64Array
  sum(): void
}

/** So many rows share one reading of the resamples: their sums do not wait for one another. */
const WIDTH = 8

/** Draws the resamples of n queries: draws * n bytes, as `below(n)` of one generator (random.ts) picks them. */
export function drawResamples(n: number, draws: number, seed: number): Resamples {
  const { reserve, bytes } = createLayout()
  const at = { counts: reserve(n * draws), values: reserve(8 * WIDTH * n), sums: reserve(8 * WIDTH * draws) }
  const { functions, memory } = openKernel<{
    draw(draws: number, n: number, favoured: number, ...rest: readonly number[]): void
    sums(draws: number, n: number, counts: number, values: number, out: number): void
  }>(new URL('./resample.wasm', import.meta.url), bytes())
  // A byte overflows only where one query is picked 256 times of n: a chance below 1e-500 for any n.
  if (n > 0) functions.draw(draws, n, 2 ** 32 % n, at.counts, ...stateOf(seed))
  return {
    n,
    draws,
    counts: new Uint8Array(memory, at.counts, n * draws),
    values: new Float64Array(memory, at.values, WIDTH * n),
    sums: new Float64Array(memory, at.sums, WIDTH * draws),
    sum: () => functions.sums(draws, n, at.counts, at.values, at.sums),
  }
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * The interval of the macro mean (strata.ts) of each row: queries are drawn within strata (Davison and Hinkley, 1997,
 * 3.2), each of which has a stream of draws of its own. Of no queries, [0, 0].
 */
export function bootstrapIntervals(
  rows: readonly Strata[],
  { draws, seed, level }: { readonly draws: number; readonly seed: number; readonly level: number },
): Interval[] {
  const strata = rows[0]?.length ?? 0
  /** By row: the means of all draws, added up over the strata so far. */
  const before: Float64Array[] = []
  const intervals: Interval[] = []
  for (let stratum = 0; stratum < strata; stratum++) {
    const own = rows.map((row) => row[stratum])
    eachRow(own, drawResamples(own[0].length, draws, seedOf(seed, stratum)), (means, row) => {
      if (stratum > 0) for (let draw = 0; draw < draws; draw++) means[draw] += before[row][draw]
      if (stratum < strata - 1) before[row] = means.slice()
      else {
        for (let draw = 0; draw < draws; draw++) means[draw] /= strata
        intervals.push({ low: quantile(means, level / 2), high: quantile(means, 1 - level / 2) })
      }
    })
  }
  return intervals
}

/** The first stratum's is the seed itself; of equal seeds, strata of equal size would be drawn alike. */
function seedOf(seed: number, stratum: number): number {
  return seed + stratum * 2 ** 32
}

/**
 * Gives the means of each row in all draws, row after row; they may be written to, and hold during the call, which must
 * not ask for rows of the same resamples.
 */
function eachRow(
  rows: readonly ArrayLike<number>[],
  resamples: Resamples,
  take: (means: Float64Array, row: number) => void,
): void {
  const { n, draws, values, sums } = resamples
  const means = new Float64Array(draws)
  for (let first = 0; first < rows.length; first += WIDTH) {
    const block = rows.slice(first, first + WIDTH)
    values.fill(0)
    block.forEach((row, index) => {
      for (let query = 0; query < n; query++) values[query * WIDTH + index] = row[query]
    })
    resamples.sum()
    for (const index of block.keys()) {
      for (let draw = 0; draw < draws; draw++) means[draw] = sums[draw * WIDTH + index] / Math.max(n, 1)
      take(means, first + index)
    }
  }
}
