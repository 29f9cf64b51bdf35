import type { DifferenceInterval } from './difference-interval.ts'
import { studentQuantile } from './distributions.ts'
import type { Range } from './range.ts'
import type { Strata } from './strata.ts'

/** A deviation that rounding alone can make of differences that are equal. */
const ROUNDING = 1e-12

/** The inputs of a minimum detectable difference. */
export interface Detected extends Pick<DifferenceInterval, 'critical' | 'error'> {
  readonly differences: Strata
  /** Possible differences. */
  readonly range: Range
}

/**
 * Minimum detectable difference: the true difference d that the test with the critical value c, the family's own
 * (difference-interval.ts), finds with the chance `power`:
 *
 *     d = (c + t(power)) * sqrt((sd^2 + d (M - d)) / n), with n - 1 degrees of freedom
 *
 * sd is that of these differences. A true difference comes from some queries, not evenly from all: with gains of the size
 * M on a share d / M of the queries, the gains alone have the variance d (M - d). M is the usual size of these differences,
 * sum D^2 / sum |D|: 1 for values of 0 and 1. Over strata by their error (strata.ts).
 * Values without bounds have M = 0: a true difference is then the same on every query.
 * Null where differences do not vary, are fewer than two in a stratum, or no possible difference is found so often.
 */
export function detectableDifference(
  { critical, error, differences, range }: Detected,
  power = 0.8,
): number | null {
  const { spread, root, df } = error
  if (Number.isNaN(spread) || !(spread >= ROUNDING)) return null
  const bounded = Number.isFinite(range.high - range.low)
  const sizes = differences.map((values) => (bounded ? usualSize(values) : 0))
  const reach = (gained: (size: number) => number): number => {
    const gains = sizes.reduce((sum, size, stratum) => sum + gained(size) / differences[stratum].length, 0)
    const wider = Math.sqrt(spread ** 2 + (gains * root ** 2) / sizes.length ** 2)
    return ((critical + studentQuantile(1 - power, df)) * wider) / root
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
