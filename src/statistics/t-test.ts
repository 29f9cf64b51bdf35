import { studentQuantile, studentTail } from './distributions.ts'
import { momentsOf } from './summarize.ts'

/** Student's paired t: mean difference over its standard error, n - 1 degrees of freedom. */
export interface TTest {
  /** NaN where the differences do not vary. */
  readonly t: number
  /** Two-sided. */
  readonly p: number
  /** Interval of the mean difference at 1 - level. */
  readonly low: number
  readonly high: number
}

/** Tests paired differences against 0; needs two or more. */
export function tTest(differences: ArrayLike<number>, level = 0.05): TTest {
  const { n, mean, sd } = momentsOf(differences)
  if (n < 2 || sd === 0) return { t: Number.NaN, p: Number.NaN, low: mean, high: mean }
  const error = sd / Math.sqrt(n)
  const t = mean / error
  const reach = studentQuantile(level / 2, n - 1) * error
  return { t, p: Math.min(1, 2 * studentTail(Math.abs(t), n - 1)), low: mean - reach, high: mean + reach }
}
