import type { Ranking } from '../types.ts'

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

/** The best `depth` rows of `scores`, one a row. Throws on NaN: a wrong order is worse than none. */
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

/** The best `depth` rows of a map from rows to scores. Throws on NaN. */
export function rankMap(scores: ReadonlyMap<number, number>, depth = scores.size): Ranking {
  return rankPairs([...scores.keys()], [...scores.values()], depth)
}

export function head(ranking: Ranking, depth: number): Ranking {
  if (ranking.rows.length <= depth) return ranking
  return { rows: ranking.rows.slice(0, depth), scores: ranking.scores.slice(0, depth) }
}

/**
 * Rankings made from orders alone. A strategy whose original yields an order and no scores scores 1/rank; what is
 * appended from another list is strictly lower.
 */

/** The ranking that keeps the order of `rows` (unique): scores 1, 1/2, 1/3, ... */
export function rankList(rows: ArrayLike<number>): Ranking {
  return { rows: Uint32Array.from(rows), scores: Float64Array.from(rows, (_, i) => 1 / (i + 1)) }
}

/** `first`, then what only `tail` has, scored min - 1, min - 2, ... so that no rounding joins them; `depth` in all. */
export function append(first: Ranking, tail: Ranking, depth: number): Ranking {
  const count = Math.min(first.rows.length, depth)
  if (count === depth) return head(first, depth)
  const ranked = new Set(first.rows)
  const rest = tail.rows.filter((row) => !ranked.has(row)).slice(0, depth - count)
  const rows = new Uint32Array(count + rest.length)
  const scores = new Float64Array(rows.length)
  rows.set(first.rows.subarray(0, count))
  scores.set(first.scores.subarray(0, count))
  rows.set(rest, count)
  const min = count > 0 ? Math.min(0, scores[count - 1]) : 0
  for (let i = 0; i < rest.length; i++) scores[count + i] = min - (i + 1)
  return { rows, scores }
}

/**
 * Keeps the best `capacity` of many entries: of twice as many, quickselect drops the worse half, and later entries must
 * beat the worst. The order of entries is total, so the result does not depend on pivots.
 */
interface Best {
  /** Adds an entry; throws on NaN. Returns the lowest score that can still enter; NaN while every score can. */
  offer(row: number, score: number): number
  /** Returns the kept rows, best first, and ends the collection. */
  take(): Ranking
}

/** Parts this short are sorted by insertion. */
const SHORT = 12

/** `offers`: at most so many will come. */
export function createBest(capacity: number, offers: number): Best {
  const rows = new Uint32Array(Math.min(2 * capacity, offers))
  const scores = new Float64Array(rows.length)
  let size = 0
  let bar = capacity > 0 ? Number.NaN : Number.POSITIVE_INFINITY

  function offer(row: number, score: number): number {
    if (Number.isNaN(score)) throw new Error(`row ${row} has the score NaN`)
    if (capacity === 0) return bar
    if (size === rows.length) throwAway()
    rows[size] = row
    scores[size++] = score
    return bar
  }

  function throwAway(): void {
    sortBest(rows, scores, 0, size, capacity, capacity - 1)
    size = capacity
    bar = scores[capacity - 1]
  }

  function take(): Ranking {
    const sorted = Math.min(size, capacity)
    sortBest(rows, scores, 0, size, sorted, 0)
    return sorted === rows.length
      ? { rows, scores }
      : { rows: rows.slice(0, sorted), scores: scores.slice(0, sorted) }
  }

  return { offer, take }
}

function sortBest(
  rows: Uint32Array,
  scores: Float64Array,
  begin: number,
  end: number,
  to: number,
  from: number,
): void {
  while (end - begin > SHORT) {
    const middle = partition(rows, scores, begin, end)
    if (middle < to) sortBest(rows, scores, middle, end, to, from)
    if (middle <= from) return
    end = middle
  }
  insertionSort(rows, scores, begin, end)
}

/** Parts the entries in two, the better ones first; returns where the worse ones begin. Neither part is empty. */
function partition(rows: Uint32Array, scores: Float64Array, begin: number, end: number): number {
  const quarter = (end - begin) >> 2
  const pivot = middleOf(rows, scores, begin + quarter, begin + 2 * quarter, begin + 3 * quarter)
  const row = rows[pivot]
  const score = scores[pivot]
  let i = begin
  let j = end - 1
  for (;;) {
    while (scores[i] > score || (scores[i] === score && rows[i] > row)) i++
    while (scores[j] < score || (scores[j] === score && rows[j] < row)) j--
    if (i >= j) return j + 1
    swap(rows, scores, i++, j--)
  }
}

function middleOf(rows: Uint32Array, scores: Float64Array, a: number, b: number, c: number): number {
  const before = (x: number, y: number) =>
    scores[x] > scores[y] || (scores[x] === scores[y] && rows[x] > rows[y])
  if (before(a, b)) return before(b, c) ? b : before(a, c) ? c : a
  return before(a, c) ? a : before(b, c) ? c : b
}

function swap(rows: Uint32Array, scores: Float64Array, i: number, j: number): void {
  const row = rows[i]
  const score = scores[i]
  rows[i] = rows[j]
  scores[i] = scores[j]
  rows[j] = row
  scores[j] = score
}

function insertionSort(rows: Uint32Array, scores: Float64Array, begin: number, end: number): void {
  for (let at = begin + 1; at < end; at++) {
    const row = rows[at]
    const score = scores[at]
    let slot = at
    while (
      slot > begin &&
      (score > scores[slot - 1] || (score === scores[slot - 1] && row > rows[slot - 1]))
    ) {
      rows[slot] = rows[slot - 1]
      scores[slot] = scores[--slot]
    }
    rows[slot] = row
    scores[slot] = score
  }
}
