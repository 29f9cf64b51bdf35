import { rankPairs } from '../ranking/order.ts'
import { rowsOf } from '../tables/column.ts'
import type { Ranking } from '../types.ts'
import { openVectors, type VectorIndex } from './vectors.ts'

/**
 * Exact search for rows whose cosine is at least `min`, which is above 0 and known from the beginning. With x_k the third
 * of the dims that vary most, and x_r the others,
 *
 *     x.y = x_k.y_k + x_r.y_r <= x_k.y_k + |x_r| |y_r|        (Cauchy and Schwarz)
 *
 * so the vectors (x_k, |x_r|) rule out nearly every row at a third of the cost. Rows that remain are scored as `index`
 * scores them, so scores have the same bits as from its own search.
 */
export function searchNear(
  index: VectorIndex,
  min: number,
): (vectors: readonly Float32Array[], depth: number) => Ranking[] {
  const { rows, dims } = index
  const vectors = Array.from({ length: rows }, (_, row) => index.vector(row))
  const order = byVariation(vectors, dims)
  // With the length of the others a whole number of sixteens.
  const kept = Math.min(dims, 16 * Math.ceil(dims / 48) - 1)
  const short = (vector: Float32Array) => shorten(vector, order, kept)
  const matrix = new Float32Array(rows * (kept + 1))
  let longest = 0
  vectors.forEach((vector, row) => {
    matrix.set(short(vector), row * (kept + 1))
    longest = Math.max(longest, squared(vector))
  })
  const shorts = openVectors(rowsOf(matrix, kept + 1), kept + 1)
  // More than float32 rounds in a score and in the lengths.
  const reach = min - (dims + 64) * 2 ** -23 * longest

  return (asked, depth) =>
    shorts.reaching(asked.map(short), reach).map((candidates, i) => {
      const cosines = index.cosines(candidates, asked[i])
      const near = (_: number, place: number) => cosines[place] >= min
      return rankPairs(candidates.filter(near), cosines.filter(near), depth)
    })
}

/** The dims, that with the largest sum of squares first. */
function byVariation(vectors: readonly Float32Array[], dims: number): number[] {
  const sums = new Float64Array(dims)
  for (const vector of vectors) for (let i = 0; i < dims; i++) sums[i] += vector[i] * vector[i]
  return Array.from(sums, (_, dim) => dim).sort((a, b) => sums[b] - sums[a])
}

/** The first `kept` dims of `order`, and the length of the others. */
function shorten(vector: Float32Array, order: readonly number[], kept: number): Float32Array {
  const short = new Float32Array(kept + 1)
  for (let i = 0; i < kept; i++) short[i] = vector[order[i]]
  let rest = 0
  for (let i = kept; i < order.length; i++) rest += vector[order[i]] * vector[order[i]]
  short[kept] = Math.sqrt(rest)
  return short
}

function squared(vector: Float32Array): number {
  return vector.reduce((sum, value) => sum + value * value, 0)
}
