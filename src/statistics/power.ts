import type { DifferenceInterval } from './difference-interval.ts'
import { studentQuantile } from './distributions.ts'
import { halfWidth } from './repeats.ts'

/** A deviation that rounding alone can make of differences that are equal. */
const ROUNDING = 1e-12

/**
 * Minimum detectable difference: the true difference that the test with the critical value c, the family's own
 * (difference-interval.ts), finds with the chance `power`, when differences vary as these do:
 *
 *     (c + t(power)) * sd / sqrt(n), with n - 1 degrees of freedom; over strata and repeats by their error (strata.ts, repeats.ts)
 *
 * Null where they do not vary, or are fewer than two in a stratum: then they say nothing of how much others would.
 */
export function detectableDifference(
  { critical, tail, error }: Pick<DifferenceInterval, 'critical' | 'tail' | 'error'>,
  power = 0.8,
): number | null {
  const { spread, root, df } = error.queries
  if (error.seeds) return halfWidth(error, tail) + halfWidth(error, 1 - power)
  if (!(spread >= ROUNDING)) return null
  return ((critical + studentQuantile(1 - power, df)) * spread) / root
}
