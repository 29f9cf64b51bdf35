import { studentTail } from './distributions.ts'
import { momentsOf } from './summarize.ts'

/**
 * Two one-sided t-tests (Schuirmann, 1987): p of the claim that the mean difference lies within plus or minus `margin`,
 * the larger of the two. NaN for fewer than two differences.
 */
export function equivalenceTest(differences: ArrayLike<number>, margin: number): number {
  const { n, mean, sd } = momentsOf(differences)
  if (n < 2) return Number.NaN
  if (sd === 0) return Math.abs(mean) < margin ? 0 : 1
  const error = sd / Math.sqrt(n)
  return Math.max(studentTail((mean + margin) / error, n - 1), studentTail((margin - mean) / error, n - 1))
}
