import type { Ranking } from '../types.ts'

/**
 * Sorting entries (a row and its score) by a permutation of their places, best first. The order is total, so what the
 * permutation holds before is a head start and never changes the result.
 *
 * A natural merge sort: entries that come in runs, as those of fused lists do, are merged and not sorted anew. An entry
 * less than REACH places late is put into its run; one that is later begins a run of its own.
 */
const REACH = 16

/** Entries in any order, scores without NaN. */
export type Entries = Pick<Ranking, 'rows' | 'scores'>

/** Sorts the places in `order`. `spare` is scratch, as long as `order`. */
export function sortOrder(order: Uint32Array, entries: Entries, spare: Uint32Array): void {
  const n = order.length
  let end = endOfRun(order, 0, entries)
  /** Where each waiting run begins. */
  const begins = [0]
  while (end < n) {
    begins.push(end)
    end = endOfRun(order, end, entries)
    // A run is merged as soon as it is no longer than the next, so that long runs are seldom touched.
    while (begins.length > 1) {
      const middle = begins[begins.length - 1]
      const begin = begins[begins.length - 2]
      if (end < n && middle - begin > end - middle) break
      const first = spare.subarray(0, middle - begin)
      first.set(order.subarray(begin, middle))
      mergeRuns(first, order.subarray(middle, end), order.subarray(begin, end), entries)
      begins.pop()
    }
  }
}

/** Makes a run of what stands from `begin`; returns where it ends. */
function endOfRun(order: Uint32Array, begin: number, { rows, scores }: Entries): number {
  let last = order[begin]
  for (let at = begin + 1; at < order.length; at++) {
    const entry = order[at]
    const row = rows[entry]
    const score = scores[entry]
    if (score < scores[last] || (score === scores[last] && row < rows[last])) {
      last = entry
      continue
    }
    const first = Math.max(begin, at - REACH)
    let place = at - 1
    while (place > first) {
      const other = order[place - 1]
      if (score < scores[other] || (score === scores[other] && row < rows[other])) break
      place--
    }
    if (place === first && first > begin) return at
    for (let later = at; later > place; later--) order[later] = order[later - 1]
    order[place] = entry
  }
  return order.length
}

/** Merges two runs into `into`, as long as both. `b` may be the end of `into` itself. */
export function mergeRuns(
  a: Uint32Array,
  b: Uint32Array,
  into: Uint32Array,
  { rows, scores }: Entries,
): void {
  let i = 0
  let j = 0
  let place = 0
  while (i < a.length && j < b.length) {
    const x = a[i]
    const y = b[j]
    if (scores[x] > scores[y] || (scores[x] === scores[y] && rows[x] > rows[y])) {
      into[place++] = x
      i++
    } else {
      into[place++] = y
      j++
    }
  }
  while (i < a.length) into[place++] = a[i++]
  while (j < b.length) into[place++] = b[j++]
}

/** The entries in the order of `order`. A score of -0 becomes 0. */
export function inOrder(order: Uint32Array, { rows, scores }: Entries): Ranking {
  const n = order.length
  const sorted = { rows: new Uint32Array(n), scores: new Float64Array(n) }
  for (let place = 0; place < n; place++) {
    sorted.rows[place] = rows[order[place]]
    sorted.scores[place] = scores[order[place]] + 0
  }
  return sorted
}
