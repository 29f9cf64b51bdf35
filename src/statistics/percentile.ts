/**
 * Percentile with its interval: the least value that at least a share q of the values does not exceed. So p99 of 50
 * values is their maximum.
 */
export interface Percentile {
  readonly value: number
  /** Ends of the interval; null where there are too few values to bound the percentile on that side. */
  readonly low: number | null
  readonly high: number | null
}

/**
 * Percentiles `qs` (0 to 1), each with an interval of order statistics: the number of values below the true one is
 * binomial (n, q). For p95 and 95 % the upper rank exists from 72 values on, for p99 from 368.
 */
export function percentiles(values: ArrayLike<number>, qs: readonly number[], level: number): Percentile[] {
  const n = values.length
  if (n === 0) throw new Error('percentiles need at least one value')
  const ascending = Float64Array.from(values).sort()
  return qs.map((q) => {
    const [low, high] = enclosingRanks(n, q, level)
    return {
      value: ascending[Math.max(1, Math.ceil(q * n)) - 1],
      low: low < 1 ? null : ascending[low - 1],
      high: high > n ? null : ascending[high - 1],
    }
  })
}

/** The highest and the lowest rank (from 1) that the q-percentile of n values is below or above with at most level / 2. */
function enclosingRanks(n: number, q: number, level: number): [number, number] {
  let low = 0
  let below = 0
  // The log of the chance that exactly `count` values lie below.
  let chance = n * Math.log1p(-q)
  for (let count = 0; count < n; count++) {
    below += Math.exp(chance)
    if (below <= level / 2) low = count + 1
    if (below >= 1 - level / 2) return [low, count + 1]
    chance += Math.log((n - count) / (count + 1)) + Math.log(q / (1 - q))
  }
  return [low, n + 1]
}
