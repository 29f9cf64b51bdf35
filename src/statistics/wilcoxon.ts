import { normalTail } from './distributions.ts'

/**
 * Wilcoxon's signed-rank test, two-sided, as SciPy 1.17 with `method="auto"`: zeros are dropped, equal magnitudes share
 * the mean rank; exact to n = 50 without ties and zeros, by all sign flips to n = 13 with them (n counts the zeros),
 * else normal without continuity correction.
 */
export interface Wilcoxon {
  /** The smaller of the rank sums of positive and negative differences. */
  readonly statistic: number
  readonly p: number
}

export function wilcoxon(differences: ArrayLike<number>): Wilcoxon {
  const all = Array.from(differences)
  const kept = all.filter((difference) => difference !== 0)
  if (kept.length === 0) return { statistic: 0, p: 1 }
  const { ranks, tieTerm } = rankMagnitudes(kept)
  const plus = kept.reduce((sum, difference, index) => (difference > 0 ? sum + ranks[index] : sum), 0)
  const total = (kept.length * (kept.length + 1)) / 2
  const plain = tieTerm === 0 && kept.length === all.length
  const p =
    plain && all.length <= 50 ? exactP(plus, ranks) : all.length <= 13 ? exactP(plus, ranks) : normalP()
  return { statistic: Math.min(plus, total - plus), p }

  function normalP(): number {
    const n = kept.length
    const variance = (n * (n + 1) * (2 * n + 1) - tieTerm / 2) / 24
    return Math.min(1, 2 * normalTail(Math.abs(plus - total / 2) / Math.sqrt(variance)))
  }
}

/** Mean ranks of |differences|, from 1; the tie term is the sum of t^3 - t over groups of t equal ones. */
function rankMagnitudes(values: readonly number[]): { ranks: number[]; tieTerm: number } {
  const order = values.map((_, index) => index).sort((a, b) => Math.abs(values[a]) - Math.abs(values[b]))
  const ranks = new Array<number>(values.length)
  let tieTerm = 0
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && Math.abs(values[order[end]]) === Math.abs(values[order[start]])) end++
    for (let index = start; index < end; index++) ranks[order[index]] = (start + 1 + end) / 2
    tieTerm += (end - start) ** 3 - (end - start)
    start = end
  }
  return { ranks, tieTerm }
}

/**
 * Counts, over all sign flips, how often the rank sum is at most and at least the observed one. Ranks are multiples of
 * 1/2, so twice their sums are indexes of a table; 2^50 flips are still exact in a double.
 */
function exactP(plus: number, ranks: readonly number[]): number {
  const doubled = ranks.map((rank) => Math.round(2 * rank))
  const ways = new Float64Array(doubled.reduce((sum, rank) => sum + rank, 0) + 1)
  ways[0] = 1
  let reached = 0
  for (const rank of doubled) {
    for (let sum = reached; sum >= 0; sum--) ways[sum + rank] += ways[sum]
    reached += rank
  }
  let atMost = 0
  let atLeast = 0
  for (let sum = 0; sum < ways.length; sum++) {
    if (sum <= 2 * plus) atMost += ways[sum]
    if (sum >= 2 * plus) atLeast += ways[sum]
  }
  return Math.min(1, (2 * Math.min(atMost, atLeast)) / 2 ** ranks.length)
}
