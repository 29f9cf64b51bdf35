import { detectableDifference } from '../../src/statistics/power.ts'
import { ANY, type Range } from '../../src/statistics/range.ts'
import { jointError } from '../../src/statistics/repeats.ts'
import { errorOf, type Strata } from '../../src/statistics/strata.ts'

/** Of rows that were not repeated. */
export function detectable(
  strata: Strata,
  critical: number,
  { power, range = ANY }: { readonly power?: number; readonly range?: Range } = {},
): number | null {
  const error = jointError(errorOf(strata), undefined)
  return detectableDifference({ critical, tail: 0, error, differences: strata, range }, power)
}
