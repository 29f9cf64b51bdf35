import type { Ranking } from '../types.ts'

/**
 * Keeps the best `capacity` of many entries: of twice as many, quickselect drops the worse half, and later entries must
 * beat the worst. The order of entries is total, so the result does not depend on pivots.
 */
export interface Best {
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
    const kept = Math.min(size, capacity)
    sortBest(rows, scores, 0, size, kept, 0)
    return kept === rows.length
      ? { rows, scores }
      : { rows: rows.slice(0, kept), scores: scores.slice(0, kept) }
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
