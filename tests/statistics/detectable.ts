import { ANY, type Range } from '../../src/metrics/range.ts'
import { detectableDifference } from '../../src/statistics/compare.ts'
import { errorOf, type Strata } from '../../src/statistics/moments.ts'

/** Detectable difference of a test with this critical value. */
export function detectable(
  strata: Strata,
  critical: number,
  { power, range = ANY }: { readonly power?: number; readonly range?: Range } = {},
): number | null {
  return detectableDifference({ ...errorOf(strata), critical, differences: strata, range }, power)
}
