import { keepWithin, lowerBound, type Mask } from '../../ranking/mask.ts'
import { minMax } from '../../ranking/normalize.ts'
import { EMPTY_RANKING, head, rankPairs } from '../../ranking/order.ts'
import type { Extremes, Ranking } from '../../types.ts'
import { createDenseSums, fitsFloat32, MAX_POSTINGS } from './dense-sums.ts'
import { type ImpactParams, type Weighting, weighTerms } from './impacts.ts'
import { type Frequencies, type Postings, placeIn, type Scratch } from './postings.ts'

/**
 * Exact search for the highest sums of impacts over a query's tokens by MaxScore (Turtle and Flood, Information
 * Processing & Management 31(6), 1995), list by list:
 *
 *     bound(t) = weight of t in the query * highest impact of t     rest = sum of bound(t) over the remaining lists
 *
 * The shortest lists are read first. Once `rest` is below the sum of the `depth`-th best chunk so far, chunks that were not
 * met yet cannot be among the best. Later lists are then read only for met chunks, and a chunk whose sum plus `rest` is too
 * low is dropped. These sums only select candidates, with a slack for rounding. Candidates are scored again, token by
 * token in the query's order, so that scores have the same bits as an exhaustive search.
 */
interface Bm25Search {
  /** Like `Bm25Index.search`, with the query's tokens as terms. */
  search(query: WeightedTerms, depth: number, within?: Uint8Array): Ranking
  searchWithExtremes(
    query: WeightedTerms,
    depth: number,
    within?: Mask,
  ): Ranking & { readonly extremes: Extremes }
  scores(query: WeightedTerms, rows: Uint32Array): Float64Array
}

/** Term numbers of a query in its order, and the weight of each: 1 for a token of a text. */
export interface WeightedTerms {
  readonly terms: readonly number[]
  readonly weights: readonly number[]
}

/** Terms above which every posting is added up (dense-sums.ts): MaxScore would keep nearly every chunk until the end. */
const MAX_TERMS = 8
/** Steps of the histogram in which the `depth`-th best sum is looked up. */
const STEPS = 512

/** Postings with the factors of impacts, as all functions of a search read them. */
interface Weighted extends Weighting {
  readonly postings: Postings
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
  readonly frequencies: Frequencies
  readonly chunks: number
  readonly scratch: Scratch
  /** Highest impact by term, without idf; 0 until it is computed. */
  readonly highest: Float64Array
  readonly histogram: Uint32Array
}

export function createBm25Search(postings: Postings, params: ImpactParams): Bm25Search {
  const { counts, scratch } = postings
  const weighting = weighTerms(counts, params)
  const { offsets, rows, counts: frequencies, lengths } = counts
  const index: Weighted = {
    ...weighting,
    postings,
    offsets,
    rows,
    frequencies,
    chunks: lengths.length,
    scratch,
    highest: new Float64Array(weighting.idf.length),
    histogram: new Uint32Array(STEPS),
  }
  return {
    search: (query, depth, within) => search(index, query, depth, within),
    searchWithExtremes(query, depth, within) {
      // If no impact is below 0, an unmatched chunk has the lowest score.
      if (
        weigh(index, query).every((weight) => weight > 0) &&
        someUnmatched(index, [...new Set(query.terms)], within?.kept)
      ) {
        const ranking = search(index, query, Math.max(1, depth), within?.kept)
        return { ...head(ranking, depth), extremes: { min: 0, max: ranking.scores[0] ?? 0 } }
      }
      const { rows, scores } = keepWithin(matches(index, query), within?.kept)
      const extremes = extremesOf(scores, within?.rows.length ?? index.chunks)
      return { ...rankPairs(rows, scores, depth), extremes }
    },
    scores: (query, chosen) => scoresOf(index, query, chosen),
  }
}

function search(index: Weighted, query: WeightedTerms, depth: number, within?: Uint8Array): Ranking {
  const weights = weigh(index, query)
  const summed = new Map<number, number>()
  query.terms.forEach((term, i) => void summed.set(term, (summed.get(term) ?? 0) + weights[i]))
  const lists = [...summed.keys()].sort((a, b) => lengthOf(index, a) - lengthOf(index, b))
  if (lists.length === 0 || depth < 1) return EMPTY_RANKING
  // A bound holds only for impacts above 0; an okapi weight may be 0 or less.
  if (depth >= index.chunks || !weights.every(fitsFloat32)) {
    const { rows, scores } = keepWithin(matches(index, query), within)
    return rankPairs(rows, scores, depth)
  }
  const totals = lists.map((term) => summed.get(term) as number)
  const read = { lists, totals, terms: query.terms, weights }
  const isDense = lists.length > MAX_TERMS && index.rows.length <= MAX_POSTINGS
  const found = (isDense ? addedUp : pruned)(index, read, depth, within)
  return rankPairs(found.rows, found.scores, depth)
}

/** A query with at least one term, all of whose weights are above 0. */
interface Read {
  /** Distinct terms, the shortest lists first, and the summed weights of each. */
  readonly lists: readonly number[]
  readonly totals: readonly number[]
  readonly terms: readonly number[]
  readonly weights: readonly number[]
}

/** Rows and scores of the best, and of some more, unordered. */
type Found = Pick<Ranking, 'rows' | 'scores'>

/** Adds up every posting of the lists, then scores the candidates. */
function addedUp(index: Weighted, read: Read, depth: number, within?: Uint8Array): Found {
  const { lists, totals } = read
  const { scratch, postings } = index
  const { slots, rows: met, sums, kept } = scratch
  scratch.dense ??= createDenseSums(postings.counts)
  const count = scratch.dense.candidates(index, lists, totals, depth, met, within)
  for (let slot = 0; slot < count; slot++) {
    slots[met[slot]] = slot + 1
    kept[slot] = slot
    sums[slot] = 0
  }
  ensureLength(index, count * lists.length, 0).fill(0, 0, count * lists.length)
  for (let place = 0; place < lists.length; place++) add(index, { lists, place, total: totals[place] }, count)
  const scores = exactScores(index, read, count)
  clear(scratch, count)
  return { rows: met.slice(0, count), scores }
}

function pruned(index: Weighted, read: Read, depth: number, within?: Uint8Array): Found {
  const { lists, totals, weights } = read
  const bounds = lists.map((term, place) => totals[place] * highestShare(index, term))
  const max = bounds.reduce((sum, bound) => sum + bound, 0)
  // Exceeds the rounding errors of both sums of a chunk and of `rest`.
  const slack = 4 * (weights.length + 8) * Number.EPSILON * max
  let rest = max
  let reach = Number.NEGATIVE_INFINITY
  let place = 0
  let count = 0
  for (; place < lists.length; place++) {
    if (count >= depth && rest < max - rest) reach = reached(index, count, depth, max) - slack
    if (rest < reach) break
    count = meet(index, { lists, place, total: totals[place] }, count, within)
    rest -= bounds[place]
  }
  let left = keep(index, count, reach - rest)
  for (; place < lists.length; place++) {
    add(index, { lists, place, total: totals[place] }, left)
    rest -= bounds[place]
    reach = Math.max(reach, reached(index, left, depth, max) - slack)
    left = keep(index, left, reach - rest)
  }
  left = keep(index, left, reached(index, left, depth, max) - slack)
  const scores = exactScores(index, read, left)
  const { rows: met, kept } = index.scratch
  const rows = new Uint32Array(left)
  for (let i = 0; i < left; i++) rows[i] = met[kept[i]]
  clear(index.scratch, count)
  return { rows, scores }
}

function lengthOf({ offsets }: Weighted, term: number): number {
  return offsets[term + 1] - offsets[term]
}

/** Weights of the query's terms, with their idf. */
function weigh({ idf }: Weighted, { terms, weights }: WeightedTerms): number[] {
  return terms.map((term, i) => weights[i] * idf[term])
}

/** Highest impact of a term, without idf. */
function highestShare({ offsets, rows, frequencies, norms, gain, highest }: Weighted, term: number): number {
  if (highest[term] > 0) return highest[term]
  let max = 0
  for (let at = offsets[term]; at < offsets[term + 1]; at++)
    max = Math.max(max, frequencies[at] / (frequencies[at] + norms[rows[at]]))
  highest[term] = gain * max
  return highest[term]
}

/** Lower bound, and nearly the value, of the `depth`-th highest sum of the kept slots; no sum is above `max`. */
function reached({ scratch, histogram }: Weighted, count: number, depth: number, max: number): number {
  const { sums, kept } = scratch
  histogram.fill(0)
  const scale = STEPS / max
  for (let i = 0; i < count; i++) histogram[Math.min(STEPS - 1, Math.floor(sums[kept[i]] * scale))]++
  let step = STEPS
  for (let seen = 0; seen < depth && step > 0; ) seen += histogram[--step]
  return step / scale
}

/** One of the query's lists: its place among them, and the summed weights of its term. */
interface List {
  readonly lists: readonly number[]
  readonly place: number
  readonly total: number
}

/** Adds a list to the sums, with a slot for each chunk that is new; returns the number of slots. */
function meet(index: Weighted, { lists, place, total }: List, known: number, within?: Uint8Array): number {
  const { offsets, rows, frequencies, norms, gain, chunks } = index
  const { slots, rows: met, sums, kept } = index.scratch
  const term = lists[place]
  const width = lists.length
  const tfs = ensureLength(index, Math.min(chunks, known + lengthOf(index, term)) * width, known * width)
  const weight = total * gain
  const end = offsets[term + 1]
  let count = known
  for (let at = offsets[term]; at < end; at++) {
    const row = rows[at]
    if (within && within[row] === 0) continue
    const tf = frequencies[at]
    let slot = slots[row] - 1
    if (slot < 0) {
      slot = count++
      slots[row] = count
      met[slot] = row
      kept[slot] = slot
      sums[slot] = 0
      for (let other = 0; other < width; other++) tfs[slot * width + other] = 0
    }
    sums[slot] += (weight * tf) / (tf + norms[row])
    tfs[slot * width + place] = tf
  }
  return count
}

/** Adds a list to the sums of the kept slots; a short list to the sums of all slots. */
function add(index: Weighted, { lists, place, total }: List, left: number): void {
  const { offsets, rows, frequencies, norms, gain } = index
  const { slots, rows: met, sums, kept, tfs } = index.scratch
  const term = lists[place]
  const width = lists.length
  const weight = total * gain
  const long = index.postings.bitmap(term)
  if (long)
    for (let i = 0; i < left; i++) {
      const slot = kept[i]
      const at = placeIn(long, met[slot])
      if (at < 0) continue
      const tf = frequencies[at]
      sums[slot] += (weight * tf) / (tf + norms[met[slot]])
      tfs[slot * width + place] = tf
    }
  else
    for (let at = offsets[term]; at < offsets[term + 1]; at++) {
      const slot = slots[rows[at]] - 1
      if (slot < 0) continue
      const tf = frequencies[at]
      sums[slot] += (weight * tf) / (tf + norms[rows[at]])
      tfs[slot * width + place] = tf
    }
}

/** Keeps the slots whose sum is at least `min`; returns their number. */
function keep({ scratch: { sums, kept } }: Weighted, count: number, min: number): number {
  let left = 0
  for (let i = 0; i < count; i++) if (sums[kept[i]] >= min) kept[left++] = kept[i]
  return left
}

/** Exact scores of the kept slots, summed in the query's order. */
function exactScores(
  { norms, gain, scratch }: Weighted,
  { terms, weights, lists }: Read,
  left: number,
): Float64Array {
  const places = terms.map((term) => lists.indexOf(term))
  const { tfs, rows: met, kept } = scratch
  const scores = new Float64Array(left)
  for (let i = 0; i < left; i++) {
    const slot = kept[i]
    const norm = norms[met[slot]]
    let score = 0
    for (let term = 0; term < places.length; term++) {
      const tf = tfs[slot * lists.length + places[term]]
      if (tf > 0) score += (weights[term] * (tf * gain)) / (tf + norm)
    }
    scores[i] = score
  }
  return scores
}

/** Term frequencies with space for `length`; the first `used` are kept. */
function ensureLength({ scratch, frequencies }: Weighted, length: number, used: number): Frequencies {
  if (scratch.tfs.length < length) {
    const longer = frequencies instanceof Float64Array ? new Float64Array(length) : new Uint32Array(length)
    longer.set(scratch.tfs.subarray(0, used))
    scratch.tfs = longer
  }
  return scratch.tfs
}

function clear({ slots, rows: met }: Scratch, count: number): void {
  for (let slot = 0; slot < count; slot++) slots[met[slot]] = 0
}

/** All chunks with a matching term and their scores, unordered. */
function matches(index: Weighted, query: WeightedTerms): Pick<Ranking, 'rows' | 'scores'> {
  const { offsets, rows, frequencies, norms, gain, scratch } = index
  const { slots, rows: met, sums } = scratch
  const weights = weigh(index, query)
  let count = 0
  query.terms.forEach((term, i) => {
    const weight = weights[i]
    for (let at = offsets[term]; at < offsets[term + 1]; at++) {
      const row = rows[at]
      const tf = frequencies[at]
      let slot = slots[row] - 1
      if (slot < 0) {
        slot = count++
        slots[row] = count
        met[slot] = row
        sums[slot] = 0
      }
      sums[slot] += (weight * (tf * gain)) / (tf + norms[row])
    }
  })
  clear(scratch, count)
  return { rows: met.slice(0, count), scores: sums.slice(0, count) }
}

/** Scores of chosen chunks; NaN for a chunk without a matching term. */
function scoresOf(index: Weighted, query: WeightedTerms, chosen: Uint32Array): Float64Array {
  const { offsets, rows, frequencies, norms, gain } = index
  const found = new Float64Array(chosen.length).fill(Number.NaN)
  const weights = weigh(index, query)
  query.terms.forEach((term, place) => {
    const end = offsets[term + 1]
    for (let i = 0; i < chosen.length; i++) {
      const at = lowerBound(rows, chosen[i], offsets[term], end)
      if (at === end || rows[at] !== chosen[i]) continue
      const tf = frequencies[at]
      const impact = (weights[place] * (tf * gain)) / (tf + norms[chosen[i]])
      found[i] = Number.isNaN(found[i]) ? 0 + impact : found[i] + impact
    }
  })
  return found
}

/** True if some chunk (of those within) contains none of the terms. */
function someUnmatched(
  { offsets, rows, chunks }: Weighted,
  terms: readonly number[],
  within: Uint8Array | undefined,
): boolean {
  const cursors = terms.map((term) => offsets[term])
  for (let row = 0; row < chunks; row++) {
    let matched = false
    for (let i = 0; i < terms.length; i++)
      if (cursors[i] < offsets[terms[i] + 1] && rows[cursors[i]] === row) {
        cursors[i]++
        matched = true
      }
    if (!matched && within?.[row] !== 0) return true
  }
  return false
}

/** Lowest and highest BM25 of `all` chunks; a chunk without a score has 0. */
export function extremesOf(scores: Float64Array, all: number): Extremes {
  const { min, max } = minMax(scores)
  return scores.length < all ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
}
