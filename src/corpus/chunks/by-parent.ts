import { EMPTY_RANKING } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import type { SearchOptions, VectorIndex } from '../dense/vectors.ts'
import { unitMasks } from './units.ts'

/**
 * Vector search over chunks by an index over their small units:
 *
 *     score(chunk) = the highest score of its units
 *
 * `parents[unit]` is the chunk's row, ascending; every chunk has at least one unit. The search is exact: it gives the same
 * chunks as scoring every unit.
 */

export function vectorsByParent(index: VectorIndex, parents: Uint32Array): VectorIndex {
  const firsts = firstUnits(parents)
  const rows = firsts.length - 1
  const masks = unitMasks(parents)
  const ofUnits = ({ within, ...options }: SearchOptions) => ({ ...options, within: within && masks(within) })
  const everyRow = Uint32Array.from({ length: rows }, (_, row) => row)
  // A zero vector is found by nothing, so it is no chunk's best unit; a chunk of such units alone has the score 0.
  const known = Uint8Array.from(parents, (_, unit) => Number(index.vector(unit).some((value) => value !== 0)))
  const best = <A extends Float32Array | Float64Array>(scores: ArrayLike<number>, into: A): A => {
    for (let row = 0; row < rows; row++) into[row] = bestOf(scores, row)
    return into
  }
  const bestOf = (scores: ArrayLike<number>, row: number, offset = 0) => {
    let max = Number.NEGATIVE_INFINITY
    for (let unit = firsts[row]; unit < firsts[row + 1]; unit++)
      if (known[unit] === 1 && scores[unit - offset] > max) max = scores[unit - offset]
    return max === Number.NEGATIVE_INFINITY ? 0 : max
  }
  const unitsOf = (row: number) =>
    Array.from({ length: firsts[row + 1] - firsts[row] }, (_, i) => firsts[row] + i)
  const zero = Uint8Array.from(everyRow, (row) => Number(!unitsOf(row).some((unit) => known[unit] === 1)))
  const scores: VectorIndex['scores'] = (vectors) =>
    index.scores(vectors).map((found) => best(found, new Float32Array(rows)))
  return {
    rows,
    dims: index.dims,
    hasZeros: (within) => (within?.rows ?? everyRow).some((row) => zero[row] === 1),
    search: (vectors, depth, options = {}) => searchParents(index, parents, vectors, depth, ofUnits(options)),
    searchWithMin(vectors, depth, { within } = {}) {
      const rankings = searchParents(index, parents, vectors, depth, ofUnits({ within }))
      const found = (within?.rows ?? everyRow).filter((row) => zero[row] === 0)
      return scores(vectors).map((all, i) => ({
        ranking: rankings[i],
        min: rankings[i].rows.length === 0 ? 0 : found.reduce((min, row) => Math.min(min, all[row]), 1),
      }))
    },
    cosines(chosen, vector) {
      const chunks = Array.from(chosen)
      const found = index.cosines(chunks.flatMap(unitsOf), vector)
      let before = 0
      return Float32Array.from(chunks, (row) => {
        const score = bestOf(found, row, firsts[row] - before)
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

/** Searches four times as many units until `depth` chunks are found or all units are read. */
function searchParents(
  index: VectorIndex,
  parents: Uint32Array,
  vectors: readonly Float32Array[],
  depth: number,
  options: SearchOptions,
): Ranking[] {
  const found: Ranking[] = vectors.map(() => EMPTY_RANKING)
  let open = vectors.map((_, i) => i)
  for (let count = 4 * depth; open.length > 0; count *= 4) {
    const rankings = index.search(
      open.map((i) => vectors[i]),
      count,
      options,
    )
    open = open.filter((i, at) => {
      found[i] = collapse(rankings[at], parents, depth)
      return found[i].rows.length < depth && rankings[at].rows.length === count
    })
  }
  return found
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
  return firsts.map((own) => (units += own))
}
