/** Sums of the same numbers in another order differ in their last bits; such sums count as equal. */
const ROUNDING = 1e-9

/**
 * Two-sided paired randomization test of few differences (Fisher): the share of all 2^k sign flips whose sum is at least as far
 * from 0 as the observed sum. For up to 20 differences, none of them 0.
 */
export function exactFlips(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0))
  const scale = differences.reduce((sum, difference) => sum + Math.abs(difference), 0)
  let sums = [0]
  for (const difference of differences) sums = sums.flatMap((sum) => [sum + difference, sum - difference])
  return sums.filter((sum) => Math.abs(sum) >= observed - ROUNDING * scale).length / sums.length
}
