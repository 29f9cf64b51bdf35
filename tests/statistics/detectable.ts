import { detectableDifference } from '../../src/statistics/power.ts'
import { ANY, type Range } from '../../src/statistics/range.ts'
import { errorOf, type Strata } from '../../src/statistics/strata.ts'

export function detectable(
  strata: Strata,
  critical: number,
  { power, range = ANY }: { readonly power?: number; readonly range?: Range } = {},
): number | null {
  return detectableDifference({ critical, error: errorOf(strata), differences: strata, range }, power)
}
