import type { Range } from '../metrics/range.ts'
import { studentQuantile } from './distributions.ts'

export interface DetectableInput {
  /** Standard error of the difference, its degrees of freedom, and the critical value of the test. */
  readonly error: number
  readonly df: number
  readonly critical: number
  /** Differences by stratum and unit. */
  readonly differences: readonly ArrayLike<number>[]
  /** Possible differences. */
  readonly range: Range
}

/**
 * Minimum detectable difference: the true difference d that a test with the critical value c finds with the chance
 * `power`; null if there is none. A difference comes from a share d / M of the queries, with the variance d (M - d); M =
 * sum D^2 / sum |D|, 0 for values without bounds.
 *
 *     d = (c + t(power)) sqrt(error^2 + d (M - d) / n)
 */
export function detectableDifference(
  { error, df, critical, differences, range }: DetectableInput,
  power = 0.8,
): number | null {
  const bounded = Number.isFinite(range.high - range.low)
  const sizes = differences.map((values) => (bounded ? usualSize(values) : 0))
  const factor = critical + studentQuantile(1 - power, df)
  const reach = (gained: (size: number) => number): number => {
    const gains = sizes.reduce((sum, size, stratum) => sum + gained(size) / differences[stratum].length, 0)
    return factor * Math.sqrt(error ** 2 + gains / sizes.length ** 2)
  }
  let [low, high] = [reach(() => 0), reach((size) => size ** 2 / 4)]
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2
    if (reach((size) => middle * Math.max(0, size - middle)) > middle) low = middle
    else high = middle
  }
  return high <= range.high ? high : null
}

function usualSize(differences: ArrayLike<number>): number {
  let [squares, sizes] = [0, 0]
  for (let query = 0; query < differences.length; query++) {
    squares += differences[query] ** 2
    sizes += Math.abs(differences[query])
  }
  return sizes > 0 ? squares / sizes : 0
}
