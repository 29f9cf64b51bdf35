import { macroMean, type Strata } from './strata.ts'
import { momentsOf } from './summarize.ts'

/**
 * Cohen's d of paired differences: mean / standard deviation (n - 1), over strata the macro mean by the root of their
 * mean variance; 0 where they do not vary.
 */
export function effectSize(differences: Strata): number {
  const variances = differences.map((values) => {
    const { sd } = momentsOf(values)
    return sd * sd
  })
  const sd = Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0) / variances.length)
  return sd === 0 ? 0 : macroMean(differences) / sd
}
