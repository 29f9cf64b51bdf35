import { minMax } from '../../ranking/normalize.ts'
import { EMPTY_RANKING, rankPairs } from '../../ranking/order.ts'
import type { Extremes, Ranking } from '../../types.ts'
import type { SearchOptions, VectorIndex } from '../dense/vectors.ts'
import type { Bm25Index, Bm25Scores } from '../lexical/bm25-search.ts'
import { unitMasks } from './units.ts'

/**
 * Vector search over chunks by an index over their small units: a chunk scores as its best unit. `parents[unit]` is
 * the chunk's row, ascending; every chunk has at least one unit. The search gives the same chunks as scoring every
 * unit.
 */

export function vectorsByParent(index: VectorIndex, parents: Uint32Array): VectorIndex {
  const firsts = firstUnits(parents)
  const rows = firsts.length - 1
  const masks = unitMasks(parents)
  const ofUnits = ({ within, ...options }: SearchOptions) => ({ ...options, within: within && masks(within) })
  const everyRow = Uint32Array.from({ length: rows }, (_, row) => row)
  // A zero vector is found by nothing, so it is no chunk's best unit; a chunk of such units alone has the score 0.
  const nonzero = Uint8Array.from(parents, (_, unit) =>
    Number(index.vector(unit).some((value) => value !== 0)),
  )
  const best = <A extends Float32Array | Float64Array>(scores: ArrayLike<number>, into: A): A => {
    for (let row = 0; row < rows; row++) into[row] = bestOf(scores, row)
    return into
  }
  const bestOf = (scores: ArrayLike<number>, row: number, offset = 0) => {
    let max = Number.NEGATIVE_INFINITY
    for (let unit = firsts[row]; unit < firsts[row + 1]; unit++)
      if (nonzero[unit] === 1 && scores[unit - offset] > max) max = scores[unit - offset]
    return max === Number.NEGATIVE_INFINITY ? 0 : max
  }
  const unitsOf = (row: number) =>
    Array.from({ length: firsts[row + 1] - firsts[row] }, (_, i) => firsts[row] + i)
  const zero = Uint8Array.from(everyRow, (row) => Number(!unitsOf(row).some((unit) => nonzero[unit] === 1)))
  const scores: VectorIndex['scores'] = (vectors) =>
    index.scores(vectors).map((scores) => best(scores, new Float32Array(rows)))
  return {
    rows,
    dims: index.dims,
    hasZeros: (within) => (within?.rows ?? everyRow).some((row) => zero[row] === 1),
    search: (vectors, depth, options = {}) => searchParents(index, parents, vectors, depth, ofUnits(options)),
    searchWithMin(vectors, depth, { within } = {}) {
      const rankings = searchParents(index, parents, vectors, depth, ofUnits({ within }))
      const searched = (within?.rows ?? everyRow).filter((row) => zero[row] === 0)
      return scores(vectors).map((all, i) => ({
        ranking: rankings[i],
        min: rankings[i].rows.length === 0 ? 0 : searched.reduce((min, row) => Math.min(min, all[row]), 1),
      }))
    },
    cosines(chosen, vector) {
      const chunks = Array.from(chosen)
      const cosines = index.cosines(chunks.flatMap(unitsOf), vector)
      let before = 0
      return Float32Array.from(chunks, (row) => {
        const score = bestOf(cosines, row, firsts[row] - before)
        before += firsts[row + 1] - firsts[row]
        return score
      })
    },
    scores,
    /** The direction of the sum of its units. */
    vector(row) {
      const sum = new Float32Array(index.dims)
      for (const unit of unitsOf(row)) {
        index.vector(unit).forEach((value, i) => {
          sum[i] += value
        })
      }
      const length = Math.hypot(...sum)
      return length === 0 ? sum : sum.map((value) => value / length)
    },
  }
}

/** Searches four times as many units until `depth` chunks are found. */
function searchParents(
  index: VectorIndex,
  parents: Uint32Array,
  vectors: readonly Float32Array[],
  depth: number,
  options: SearchOptions,
): Ranking[] {
  const collected: Ranking[] = vectors.map(() => EMPTY_RANKING)
  let open = vectors.map((_, i) => i)
  for (let count = 4 * depth; open.length > 0; count *= 4) {
    const rankings = index.search(
      open.map((i) => vectors[i]),
      count,
      options,
    )
    open = open.filter((i, at) => {
      collected[i] = collapse(rankings[at], parents, depth)
      return collected[i].rows.length < depth && rankings[at].rows.length === count
    })
  }
  return collected
}

/** Ranks each chunk at its best unit. Units ascend with their chunks, so ties keep the order of chunks. */
function collapse({ rows, scores }: Ranking, parents: Uint32Array, depth: number): Ranking {
  const first = new Map<number, number>()
  for (let i = 0; i < rows.length && first.size < depth; i++)
    if (!first.has(parents[rows[i]])) first.set(parents[rows[i]], scores[i])
  return { rows: Uint32Array.from(first.keys()), scores: Float64Array.from(first.values()) }
}

/** First unit of each chunk, followed by the number of units. */
function firstUnits(parents: Uint32Array): Uint32Array {
  const rows = parents.length === 0 ? 0 : parents[parents.length - 1] + 1
  const firsts = new Uint32Array(rows + 1)
  for (const row of parents) firsts[row + 1]++
  let units = 0
  return firsts.map((size) => (units += size))
}

/** Search over chunks by an index over their units: a chunk scores as its best unit. */
export function bm25ByParent(index: Bm25Index, parents: Uint32Array): Bm25Index {
  const chunks = (parents.at(-1) ?? -1) + 1
  const unitsOf = unitMasks(parents)
  const bestOf = ({ rows, scores }: Ranking, within?: Uint8Array) => {
    const best = new Map<number, number>()
    rows.forEach((unit, i) => {
      const row = parents[unit]
      if (!best.has(row) && within?.[row] !== 0) best.set(row, scores[i])
    })
    return { rows: Uint32Array.from(best.keys()), scores: Float64Array.from(best.values()), best }
  }
  const scored = (matches: (text: string) => Ranking, all: number): Bm25Scores => ({
    searchWithExtremes(text, depth, within) {
      const { rows, scores } = bestOf(matches(text), within?.kept)
      return { ...rankPairs(rows, scores, depth), extremes: extremesOf(scores, within?.rows.length ?? all) }
    },
    scores(text, rows) {
      const { best } = bestOf(matches(text))
      return Float64Array.from(rows, (row) => best.get(row) ?? Number.NaN)
    },
  })
  return {
    ...scored((text) => index.search(text, parents.length), chunks),
    alone(mask) {
      const alone = index.alone(unitsOf(mask))
      return scored((text) => alone.searchWithExtremes(text, parents.length), mask.rows.length)
    },
    search(text, depth, within) {
      const { rows, scores } = bestOf(index.search(text, parents.length), within)
      return rankPairs(rows, scores, depth)
    },
    searchTerms(query, depth, within) {
      const { rows, scores } = bestOf(index.searchTerms(query, parents.length), within)
      return rankPairs(rows, scores, depth)
    },
  }
}

/** Lowest and highest BM25 of `all` chunks; a chunk without a score has 0. */
function extremesOf(scores: Float64Array, all: number): Extremes {
  const { min, max } = minMax(scores)
  return scores.length < all ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
}
