import type { Ranking } from '../types.ts'
import { createBest } from './best.ts'

/**
 * The one order of every list: score descending, equal scores by row descending (trec_eval's order, since rows are
 * sorted by id bytes). A score of -0 becomes 0, so that entries of equal score may change positions.
 */

/** A ranking of nothing. */
export const EMPTY_RANKING: Ranking = { rows: new Uint32Array(0), scores: new Float64Array(0) }

interface RankOptions {
  /** Only scores strictly above this are ranked; all by default. */
  readonly above?: number
  /** Only rows whose byte here is not 0 are ranked; as long as `scores`. */
  readonly within?: Uint8Array
}

/** The best `depth` rows of `scores` (one a row, any finite range). Throws on NaN: a wrong order is worse than none. */
export function rankScores(
  scores: Float64Array | Float32Array,
  depth: number,
  { above = Number.NEGATIVE_INFINITY, within }: RankOptions = {},
): Ranking {
  const best = createBest(Math.min(depth, scores.length), scores.length)
  const all = above === Number.NEGATIVE_INFINITY
  let bar = Number.NaN
  // From the last row down: of equal scores the first one met stays, so that a list of ties costs no more than another.
  for (let row = scores.length - 1; row >= 0; row--) {
    const score = scores[row] + 0
    // Nearly every row ends here; NaN does not.
    if (score <= bar || (within && within[row] === 0)) continue
    if (score > above || all || Number.isNaN(score)) bar = best.offer(row, score)
  }
  return best.take()
}

/** The best `depth` of parallel `rows` (unique) and `scores`. Throws on NaN. */
export function rankPairs(rows: ArrayLike<number>, scores: ArrayLike<number>, depth: number): Ranking {
  const best = createBest(Math.min(depth, rows.length), rows.length)
  let bar = Number.NaN
  for (let i = 0; i < rows.length; i++) {
    const score = scores[i] + 0
    if (!(score < bar)) bar = best.offer(rows[i], score)
  }
  return best.take()
}

export function head(ranking: Ranking, depth: number): Ranking {
  if (ranking.rows.length <= depth) return ranking
  return { rows: ranking.rows.slice(0, depth), scores: ranking.scores.slice(0, depth) }
}
