import { keepWithin, lowerBound, type Mask } from '../../ranking/mask.ts'
import { minMax } from '../../ranking/normalize.ts'
import { EMPTY_RANKING, head, rankPairs } from '../../ranking/order.ts'
import type { Extremes, Ranking } from '../../types.ts'
import { type ImpactParams, weighTerms } from './impacts.ts'
import { type Frequencies, type Postings, placeIn } from './postings.ts'

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

/** Terms above which pruning is skipped: nearly every chunk would stay until the end. */
const MAX_TERMS = 32
/** Steps of the histogram in which the `depth`-th best sum is looked up. */
const STEPS = 512

export function createBm25Search({ counts, bitmap, scratch }: Postings, params: ImpactParams): Bm25Search {
  const { offsets, rows, counts: frequencies } = counts
  const { idf, norms, gain } = weighTerms(counts, params)
  const { slots, rows: met, sums, kept } = scratch
  const chunks = counts.lengths.length
  /** Highest impact by term; 0 until it is computed. */
  const highest = new Float64Array(idf.length)
  const histogram = new Uint32Array(STEPS)

  const lengthOf = (term: number) => offsets[term + 1] - offsets[term]
  const byLength = (a: number, b: number) => lengthOf(a) - lengthOf(b)

  /** The highest impact of a term, by its idf. */
  function highestShare(term: number): number {
    if (highest[term] > 0) return highest[term]
    let most = 0
    for (let at = offsets[term]; at < offsets[term + 1]; at++)
      most = Math.max(most, frequencies[at] / (frequencies[at] + norms[rows[at]]))
    highest[term] = gain * most
    return highest[term]
  }

  /** The weight of each of the query's terms, with its idf. */
  const weigh = ({ terms, weights }: WeightedTerms) => terms.map((term, i) => weights[i] * idf[term])

  /** Lower bound, and nearly the value, of the `depth`-th highest sum of the kept slots; no sum is above `max`. */
  function reached(count: number, depth: number, most: number): number {
    histogram.fill(0)
    const scale = STEPS / most
    for (let i = 0; i < count; i++) histogram[Math.min(STEPS - 1, Math.floor(sums[kept[i]] * scale))]++
    let step = STEPS
    for (let seen = 0; seen < depth && step > 0; ) seen += histogram[--step]
    return step / scale
  }

  function search(query: WeightedTerms, depth: number, within?: Uint8Array): Ranking {
    const lists = [...new Set(query.terms)].sort(byLength)
    const weights = weigh(query)
    if (lists.length === 0 || depth < 1) return EMPTY_RANKING
    // A bound holds only for impacts above 0; an okapi weight may be 0 or less.
    if (depth >= chunks || lists.length > MAX_TERMS || weights.some((weight) => weight <= 0))
      return rankMatches(query, depth, within)
    const totals = lists.map((term) =>
      weights.reduce((sum, weight, i) => (query.terms[i] === term ? sum + weight : sum), 0),
    )
    const bounds = lists.map((term, index) => totals[index] * highestShare(term))
    const most = bounds.reduce((sum, bound) => sum + bound, 0)
    // Exceeds the rounding errors of both sums of a chunk and of `rest`.
    const slack = 4 * (weights.length + 8) * Number.EPSILON * most
    let rest = most
    let reach = Number.NEGATIVE_INFINITY
    let index = 0
    let count = 0
    for (; index < lists.length; index++) {
      if (count >= depth && rest < most - rest) reach = reached(count, depth, most) - slack
      if (rest < reach) break
      count = meet(lists, index, totals[index], count, within)
      rest -= bounds[index]
    }
    let left = keep(count, reach - rest)
    for (; index < lists.length; index++) {
      add(lists, index, totals[index], left)
      rest -= bounds[index]
      reach = Math.max(reach, reached(left, depth, most) - slack)
      left = keep(left, reach - rest)
    }
    left = keep(left, reached(left, depth, most) - slack)
    const scores = exactScores(query.terms, weights, lists, left)
    const found = new Uint32Array(left)
    for (let i = 0; i < left; i++) found[i] = met[kept[i]]
    clear(count)
    return rankPairs(found, scores, depth)
  }

  /** Adds a list to the sums, with a slot for each chunk that is new; returns the number of slots. */
  function meet(
    lists: readonly number[],
    index: number,
    total: number,
    count: number,
    within: Uint8Array | undefined,
  ): number {
    const term = lists[index]
    const width = lists.length
    const tfs = roomFor(Math.min(chunks, count + lengthOf(term)) * width, count * width)
    const weight = total * gain
    const end = offsets[term + 1]
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
      tfs[slot * width + index] = tf
    }
    return count
  }

  /** Adds a list to the sums of the kept slots; a short list to the sums of all slots. */
  function add(lists: readonly number[], index: number, total: number, left: number): void {
    const term = lists[index]
    const width = lists.length
    const { tfs } = scratch
    const weight = total * gain
    const long = bitmap(term)
    if (long)
      for (let i = 0; i < left; i++) {
        const slot = kept[i]
        const at = placeIn(long, met[slot])
        if (at < 0) continue
        const tf = frequencies[at]
        sums[slot] += (weight * tf) / (tf + norms[met[slot]])
        tfs[slot * width + index] = tf
      }
    else
      for (let at = offsets[term]; at < offsets[term + 1]; at++) {
        const slot = slots[rows[at]] - 1
        if (slot < 0) continue
        const tf = frequencies[at]
        sums[slot] += (weight * tf) / (tf + norms[rows[at]])
        tfs[slot * width + index] = tf
      }
  }

  /** Keeps the slots whose sum is at least `min`; returns how many. */
  function keep(count: number, min: number): number {
    let left = 0
    for (let i = 0; i < count; i++) if (sums[kept[i]] >= min) kept[left++] = kept[i]
    return left
  }

  /** Exact scores of the kept slots, summed in the query's order. */
  function exactScores(
    terms: readonly number[],
    weights: readonly number[],
    lists: readonly number[],
    left: number,
  ): Float64Array {
    const indexes = terms.map((term) => lists.indexOf(term))
    const { tfs } = scratch
    const scores = new Float64Array(left)
    for (let i = 0; i < left; i++) {
      const slot = kept[i]
      const norm = norms[met[slot]]
      let score = 0
      for (let term = 0; term < indexes.length; term++) {
        const tf = tfs[slot * lists.length + indexes[term]]
        if (tf > 0) score += (weights[term] * (tf * gain)) / (tf + norm)
      }
      scores[i] = score
    }
    return scores
  }

  /** Term frequencies with space for `length`; the first `used` are kept. */
  function roomFor(length: number, used: number): Frequencies {
    if (scratch.tfs.length < length) {
      const longer = frequencies instanceof Float64Array ? new Float64Array(length) : new Uint32Array(length)
      longer.set(scratch.tfs.subarray(0, used))
      scratch.tfs = longer
    }
    return scratch.tfs
  }

  function clear(count: number): void {
    for (let slot = 0; slot < count; slot++) slots[met[slot]] = 0
  }

  /** All chunks with a matching term and their scores, unordered. */
  function matches(query: WeightedTerms): Pick<Ranking, 'rows' | 'scores'> {
    const weights = weigh(query)
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
    clear(count)
    return { rows: met.slice(0, count), scores: sums.slice(0, count) }
  }

  function rankMatches(query: WeightedTerms, depth: number, within?: Uint8Array): Ranking {
    const { rows, scores } = keepWithin(matches(query), within)
    return rankPairs(rows, scores, depth)
  }

  /** True if some chunk (of those within) contains none of the terms. */
  function someUnmatched(terms: readonly number[], within: Uint8Array | undefined): boolean {
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

  return {
    search,
    searchWithExtremes(query, depth, within) {
      // If no impact is below 0, an unmatched chunk has the lowest score.
      if (
        weigh(query).every((weight) => weight > 0) &&
        someUnmatched([...new Set(query.terms)], within?.kept)
      ) {
        const ranking = search(query, Math.max(1, depth), within?.kept)
        return { ...head(ranking, depth), extremes: { min: 0, max: ranking.scores[0] ?? 0 } }
      }
      const { rows, scores } = keepWithin(matches(query), within?.kept)
      const extremes = extremesOf(scores, within?.rows.length ?? chunks)
      return { ...rankPairs(rows, scores, depth), extremes }
    },
    scores(query, chosen) {
      const found = new Float64Array(chosen.length).fill(Number.NaN)
      const weights = weigh(query)
      query.terms.forEach((term, index) => {
        const end = offsets[term + 1]
        for (let i = 0; i < chosen.length; i++) {
          const at = lowerBound(rows, chosen[i], offsets[term], end)
          if (at === end || rows[at] !== chosen[i]) continue
          const tf = frequencies[at]
          const impact = (weights[index] * (tf * gain)) / (tf + norms[chosen[i]])
          found[i] = Number.isNaN(found[i]) ? 0 + impact : found[i] + impact
        }
      })
      return found
    },
  }
}

/** Lowest and highest BM25 of `all` chunks, of which those without a score have 0. */
export function extremesOf(scores: Float64Array, all: number): Extremes {
  const { min, max } = minMax(scores)
  return scores.length < all ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
}
