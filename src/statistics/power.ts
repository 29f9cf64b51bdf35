import { studentQuantile } from './distributions.ts'
import { momentsOf } from './summarize.ts'

/** A deviation that rounding alone can make of differences that are equal. */
export const ROUNDING = 1e-12

/**
 * Minimum detectable difference: the mean difference that a two-sided paired t-test at `level` finds with the chance
 * `power`, when differences vary as these do:
 *
 *     (t(1 - level/2) + t(power)) * sd / sqrt(n), with n - 1 degrees of freedom
 *
 * Null where they do not vary, or are fewer than two: then they say nothing of how much others would.
 */
export function detectableDifference(
  differences: ArrayLike<number>,
  level: number,
  power = 0.8,
): number | null {
  const { n, sd } = momentsOf(differences)
  if (n < 2 || sd < ROUNDING) return null
  return ((studentQuantile(level / 2, n - 1) + studentQuantile(1 - power, n - 1)) * sd) / Math.sqrt(n)
}
