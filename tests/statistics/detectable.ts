import { detectableDifference } from '../../src/statistics/power.ts'
import { jointError } from '../../src/statistics/repeats.ts'
import { errorOf, type Strata } from '../../src/statistics/strata.ts'

/** Of rows that were not repeated. */
export function detectable(strata: Strata, critical: number, power?: number): number | null {
  return detectableDifference({ critical, tail: 0, error: jointError(errorOf(strata), undefined) }, power)
}
