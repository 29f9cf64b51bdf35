import type { Ranking } from '../src/types.ts'

/**
 * A ranking of chunks as a ranking of what they belong to: score(unit) = max over its chunks. Best first; equal
 * scores: higher unit row first, which may reorder equally scored units. Cut at k only after this.
 */
export function collapseSpans(ranking: Ranking, rowOf: Uint32Array): Ranking {
  const best = new Map<number, number>()
  ranking.rows.forEach((row, rank) => {
    // Best first: a unit's first chunk is its best.
    if (!best.has(rowOf[row])) best.set(rowOf[row], ranking.scores[rank])
  })
  const units = [...best].sort(([rowA, a], [rowB, b]) => b - a || rowB - rowA)
  return {
    rows: Uint32Array.from(units, ([row]) => row),
    scores: Float64Array.from(units, ([, score]) => score),
  }
}
