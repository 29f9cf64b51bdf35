import { studentQuantile } from './distributions.ts'
import { momentsOf } from './summarize.ts'

/**
 * Minimum detectable difference: the mean difference that a two-sided paired t-test at `level` finds with the chance
 * `power`, when differences vary as these do:
 *
 *     (t(1 - level/2) + t(power)) * sd / sqrt(n), with n - 1 degrees of freedom
 *
 * 0 where they do not vary; NaN for fewer than two.
 */
export function detectableDifference(differences: ArrayLike<number>, level: number, power = 0.8): number {
  const { n, sd } = momentsOf(differences)
  if (n < 2) return Number.NaN
  return ((studentQuantile(level / 2, n - 1) + studentQuantile(1 - power, n - 1)) * sd) / Math.sqrt(n)
}
