import { select } from './select.ts'
import { BLOCK, type Reach } from './selection.ts'

/**
 * Tests of a family at once by the maximum over its comparisons (Westfall and Young, Resampling-Based Multiple Testing,
 * 1993, algorithm 4.1). With M*_i what chance reaches in a draw (selection.ts) and the observed S_1 >= S_2 >= ...,
 *
 *     p_i        = (1 + draws with M*_i >= S_i) / (1 + draws)
 *     adjusted_i = (1 + draws with max over j >= i of M*_j >= S_i) / (1 + draws), never below that of i - 1
 *
 * and without the 1 where the draws are all flips there are. The smallest possible value does not grow with the family, and
 * rows that go together cost little. The chance of any false finding is at most the level.
 */
export interface MaxT {
  readonly ps: readonly number[]
  readonly adjusted: readonly number[]
  /** Critical value: the maximum over the family exceeds it in a share `level` of the draws; infinite for too few draws. */
  readonly critical: number
  /** Critical value of each comparison alone, if asked for. */
  readonly alone: readonly number[]
}

/** Sums of the same numbers in another order differ in their last bits; such draws count as equal. */
const ROUNDING = 1e-9

export function maxT(
  observed: readonly number[],
  reach: Reach,
  {
    draws,
    exact,
    level,
    alone,
  }: { readonly draws: number; readonly exact: boolean; readonly level: number; readonly alone: boolean },
): MaxT {
  const order = observed.map((_, index) => index).sort((a, b) => observed[b] - observed[a])
  const limits = observed.map((value) => value - ROUNDING)
  const exceeded = new Float64Array(observed.length)
  const stepped = new Float64Array(observed.length)
  const highest = new Float64Array(draws)
  const each = observed.map(() => new Float64Array(alone ? draws : 0))
  for (let begin = 0; begin < draws; begin += BLOCK) {
    const end = Math.min(draws, begin + BLOCK)
    const reached = reach(begin, end)
    if (alone)
      for (const [index, row] of each.entries()) row.set(reached[index].subarray(0, end - begin), begin)
    const running = highest.subarray(begin, end)
    for (let rank = order.length - 1; rank >= 0; rank--) {
      const index = order[rank]
      const row = reached[index]
      const limit = limits[index]
      for (let draw = 0; draw < running.length; draw++) {
        const value = row[draw]
        if (value > running[draw]) running[draw] = value
        if (value >= limit) exceeded[index]++
        if (running[draw] >= limit) stepped[index]++
      }
    }
  }
  const share = (count: number) => (exact ? count / draws : (count + 1) / (draws + 1))
  const adjusted = new Array<number>(observed.length)
  let last = 0
  for (const index of order) {
    last = Math.max(last, share(stepped[index]))
    adjusted[index] = last
  }
  /** Number of draws that may reach a significant value. */
  const allowed = exact ? Math.floor(level * draws) : Math.floor(level * (draws + 1)) - 1
  const criticalOf = (values: Float64Array) =>
    allowed < 0 ? Number.POSITIVE_INFINITY : select(values, values.length - 1 - allowed)
  return {
    ps: [...exceeded].map(share),
    adjusted,
    critical: criticalOf(highest),
    alone: alone ? each.map(criticalOf) : [],
  }
}
