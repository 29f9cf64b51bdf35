import type { Ranking } from '../types.ts'
import { type Entries, inOrder, sortOrder } from './sort.ts'

/**
 * The one order of every list: score descending, equal scores by row descending (trec_eval's order, since rows are
 * sorted by id bytes). The best `depth` of n are kept in a bounded heap whose root is the worst of them: O(n log depth)
 * and no objects. A score of -0 becomes 0, so that entries of equal score may change places.
 */

/** A ranking of nothing. */
export const EMPTY: Ranking = { rows: new Uint32Array(0), scores: new Float64Array(0) }

export interface RankOptions {
  /** Only scores strictly above this are ranked; all by default. */
  readonly above?: number
  /** Only rows whose place here is not 0 are ranked; as long as `scores`. */
  readonly within?: Uint8Array
}

/** Below 0 where entry A stands before entry B, above 0 where behind; 0 only for the same score and row. */
export function compareEntries(scoreA: number, rowA: number, scoreB: number, rowB: number): number {
  return scoreA > scoreB ? -1 : scoreA < scoreB ? 1 : rowB - rowA
}

/** The best `depth` rows of `scores` (one a row, any finite range). Throws on NaN: a wrong order is worse than none. */
export function rankScores(
  scores: Float64Array | Float32Array,
  depth: number,
  { above = Number.NEGATIVE_INFINITY, within }: RankOptions = {},
): Ranking {
  const best = createBest(Math.min(depth, scores.length))
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
  if (depth >= rows.length) {
    return sortPairs({ rows: new Uint32Array(rows), scores: new Float64Array(scores) })
  }
  const best = createBest(depth)
  for (let i = 0; i < rows.length; i++) best.offer(rows[i], scores[i] + 0)
  return best.take()
}

function sortPairs(entries: Entries): Ranking {
  const n = entries.rows.length
  const order = new Uint32Array(n)
  for (let place = 0; place < n; place++) {
    if (Number.isNaN(entries.scores[place])) throw new Error(`row ${entries.rows[place]} has the score NaN`)
    order[place] = place
  }
  sortOrder(order, entries, new Uint32Array(n))
  return inOrder(order, entries)
}

/** The first `depth` entries of a ranking; the ranking itself where it is not longer. */
export function head(ranking: Ranking, depth: number): Ranking {
  if (ranking.rows.length <= depth) return ranking
  return { rows: ranking.rows.slice(0, depth), scores: ranking.scores.slice(0, depth) }
}

interface Best {
  /** Returns the score of the last entry that would be kept; NaN while there is room. */
  offer(row: number, score: number): number
  /** What was kept, best first; the heap is spent. */
  take(): Ranking
}

function createBest(capacity: number): Best {
  const rows = new Uint32Array(capacity)
  const scores = new Float64Array(capacity)
  let size = 0

  /** Puts an entry at `place` or below, where the heap of `end` entries has room for it; the worst one stays on top. */
  function sink(place: number, end: number, row: number, score: number): void {
    for (;;) {
      let child = 2 * place + 1
      if (child >= end) break
      if (
        child + 1 < end &&
        compareEntries(scores[child + 1], rows[child + 1], scores[child], rows[child]) > 0
      )
        child++
      if (compareEntries(score, row, scores[child], rows[child]) > 0) break
      rows[place] = rows[child]
      scores[place] = scores[child]
      place = child
    }
    rows[place] = row
    scores[place] = score
  }

  function offer(row: number, score: number): number {
    if (Number.isNaN(score)) throw new Error(`row ${row} has the score NaN`)
    if (size < capacity) {
      let place = size++
      while (place > 0) {
        const parent = (place - 1) >> 1
        if (compareEntries(score, row, scores[parent], rows[parent]) <= 0) break
        rows[place] = rows[parent]
        scores[place] = scores[parent]
        place = parent
      }
      rows[place] = row
      scores[place] = score
    } else if (capacity > 0 && compareEntries(score, row, scores[0], rows[0]) < 0) sink(0, size, row, score)
    if (size < capacity) return Number.NaN
    return capacity > 0 ? scores[0] : Number.POSITIVE_INFINITY
  }

  function take(): Ranking {
    for (let end = size - 1; end > 0; end--) {
      const row = rows[end]
      const score = scores[end]
      rows[end] = rows[0]
      scores[end] = scores[0]
      sink(0, end, row, score)
    }
    return size === capacity ? { rows, scores } : { rows: rows.slice(0, size), scores: scores.slice(0, size) }
  }

  return { offer, take }
}
