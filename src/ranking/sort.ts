import type { Ranking } from '../types.ts'

/**
 * Sorting entries (a row and its score) by a permutation of their indexes, best first. The order is total, so what the
 * permutation holds before is a head start and never changes the result.
 *
 * A natural merge sort: entries that come in runs, as those of fused lists do, are merged and not sorted anew. An entry
 * less than REACH positions late is put into its run; one that is later begins a run of its own.
 */
const REACH = 16

/** Entries in any order. Where a score is NaN any order may come out, and `inOrder` throws. */
export type Entries = Pick<Ranking, 'rows' | 'scores'>

/** Sorts the indexes in `order`. `spare` is scratch, at least as long as `order`. */
export function sortOrder(order: Uint32Array, entries: Entries, spare: Uint32Array): void {
  const n = order.length
  let end = endOfRun(order, 0, entries)
  if (end === n) return
  /** Start of each waiting run. */
  const begins = [0]
  while (end < n) {
    begins.push(end)
    end = endOfRun(order, end, entries)
    // A run is merged as soon as it is no longer than the next, so that long runs are seldom touched.
    while (begins.length > 1) {
      const middle = begins[begins.length - 1]
      const begin = begins[begins.length - 2]
      if (end < n && middle - begin > end - middle) break
      for (let at = begin; at < middle; at++) spare[at - begin] = order[at]
      const first = { order: spare, begin: 0, end: middle - begin }
      mergeRuns(first, { order, begin: middle, end }, order, begin, entries)
      begins.pop()
    }
  }
}

/**
 * Brings the first `count` entries and all that tie with the last of them to the front of `order`, sorted; returns how
 * many these are. The others follow in any order. Throws on NaN.
 */
export function sortHead(order: Uint32Array, entries: Entries, spare: Uint32Array, count: number): number {
  const { rows, scores } = entries
  // Scores at least as high as the worst of the head: the head itself, and mostly few others.
  let min = Number.POSITIVE_INFINITY
  for (let at = 0; at < count; at++) {
    const score = scores[order[at]]
    if (Number.isNaN(score)) throw notANumber(rows[order[at]])
    if (score < min) min = score
  }
  let end = count
  for (let at = count; at < order.length; at++) {
    const entry = order[at]
    if (scores[entry] < min) continue
    if (Number.isNaN(scores[entry])) throw notANumber(rows[entry])
    order[at] = order[end]
    order[end++] = entry
  }
  sortOrder(order.subarray(0, end), entries, spare)
  let kept = count
  while (kept < end && scores[order[kept]] === scores[order[count - 1]]) kept++
  return kept
}

/** Sorts a run from `begin`; returns its end. */
function endOfRun(order: Uint32Array, begin: number, { rows, scores }: Entries): number {
  const n = order.length
  let last = order[begin]
  let lowest = scores[last]
  for (let at = begin + 1; at < n; at++) {
    const entry = order[at]
    const score = scores[entry]
    if (score < lowest || (score === lowest && rows[entry] < rows[last])) {
      last = entry
      lowest = score
      continue
    }
    const row = rows[entry]
    const first = Math.max(begin, at - REACH)
    let slot = at - 1
    while (slot > first) {
      const other = order[slot - 1]
      if (score < scores[other] || (score === scores[other] && row < rows[other])) break
      slot--
    }
    if (slot === first && first > begin) return at
    for (let later = at; later > slot; later--) order[later] = order[later - 1]
    order[slot] = entry
  }
  return n
}

/** Indexes in order, from `begin` up to, not including, `end`. */
interface Run {
  readonly order: Uint32Array
  readonly begin: number
  readonly end: number
}

/** Merges two runs into `into`, from `start` on. The second is at the end of `into` already. */
function mergeRuns(
  { order: a, begin: aBegin, end: aEnd }: Run,
  { order: b, begin: bBegin, end: bEnd }: Run,
  into: Uint32Array,
  start: number,
  { rows, scores }: Entries,
): void {
  let i = aBegin
  let j = bBegin
  let at = start
  let x = a[i]
  let y = b[j]
  let scoreX = scores[x]
  let scoreY = scores[y]
  for (;;) {
    if (scoreX > scoreY || (scoreX === scoreY && rows[x] > rows[y])) {
      into[at++] = x
      if (++i === aEnd) return
      x = a[i]
      scoreX = scores[x]
    } else {
      into[at++] = y
      if (++j === bEnd) break
      y = b[j]
      scoreY = scores[y]
    }
  }
  while (i < aEnd) into[at++] = a[i++]
}

/** Fills `into` with as many entries, in the order of `order`. A score of -0 becomes 0; throws on NaN. */
export function inOrder(order: Uint32Array, { rows, scores }: Entries, into: Ranking): Ranking {
  const { rows: toRows, scores: toScores } = into
  for (let i = 0; i < toRows.length; i++) {
    const entry = order[i]
    const score = scores[entry] + 0
    if (Number.isNaN(score)) throw notANumber(rows[entry])
    toRows[i] = rows[entry]
    toScores[i] = score
  }
  return into
}

function notANumber(row: number): Error {
  return new Error(`row ${row} has the score NaN`)
}
