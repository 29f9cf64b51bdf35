import { studentTail } from './distributions.ts'
import { errorOf, macroMean, type Strata } from './strata.ts'

/**
 * Two one-sided t-tests (Schuirmann, 1987): p of the claim that the mean difference lies within plus or minus `margin`,
 * the larger of the two. NaN where a stratum has fewer than two differences.
 */
export function equivalenceTest(differences: Strata, margin: number): number {
  const { spread, root, df } = errorOf(differences)
  if (Number.isNaN(spread)) return Number.NaN
  const mean = macroMean(differences)
  if (spread === 0) return Math.abs(mean) < margin ? 0 : 1
  const error = spread / root
  return Math.max(studentTail((mean + margin) / error, df), studentTail((margin - mean) / error, df))
}
