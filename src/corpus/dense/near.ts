import { EMPTY_RANKING, rankPairs } from '../../ranking/order.ts'
import { rowCount } from '../../tables/column.ts'
import type { Ranking } from '../../types.ts'
import { openVectors, type VectorIndex } from './vectors.ts'

/**
 * Later rows with at least the minimum cosine, for each of `count` rows from `first` on. Rows ascend, scores are
 * cosines.
 */
export type LaterNeighbours = (first: number, count: number) => Ranking[]

/** Dims of the short vectors. */
const SHORT = 64

/**
 * Exact search for pairs of rows whose cosine is at least `min`, which is above 0. With x_b the projection of x on an
 * orthonormal basis and x_r the rest,
 *
 *     x.y = x_b.y_b + x_r.y_r <= x_b.y_b + |x_r| |y_r|        (Cauchy and Schwarz)
 *
 * so the short vectors (x_b, |x_r|) rule out nearly every row. Remaining rows are scored by `index`, so scores have the
 * same bits as its search.
 */
export function laterNeighbours(index: VectorIndex, min: number): LaterNeighbours {
  const { rows } = index
  const lengths = Float64Array.from({ length: rows }, (_, row) => squared(index.vector(row)))
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0)
  // Exceeds float32 rounding of the basis, a projection, a short product and a score.
  const rounding = (index.dims + 64) * 2 ** -19 * longest
  const projections = index.scores(basisOf(index, SHORT - 1))
  const dims = projections.length + 1
  const matrix = new Float32Array(rows * dims)
  for (let row = 0; row < rows; row++) {
    const short = matrix.subarray(row * dims, (row + 1) * dims)
    for (let i = 0; i < dims - 1; i++) short[i] = projections[i][row]
    short[dims - 1] = Math.sqrt(lengths[row] - squared(short) + rounding)
  }
  const shorts = openVectors(rowCount(matrix, dims), dims)

  return (first, count) => {
    const queries = Array.from({ length: count }, (_, i) => shorts.vector(first + i))
    return shorts.scoresFrom(first + 1, queries).map((bounds, i) => {
      const later = placesFrom(i, bounds, min - rounding).map((place) => first + 1 + place)
      const cosines = index.cosines(later, index.vector(first + i))
      const near = placesFrom(0, cosines, min)
      return {
        rows: Uint32Array.from(near, (place) => later[place]),
        scores: Float64Array.from(near, (place) => cosines[place]),
      }
    })
  }
}

/** Places from `first` on whose value is at least `min`. */
function placesFrom(first: number, values: Float32Array, min: number): number[] {
  const places: number[] = []
  for (let place = first; place < values.length; place++) if (values[place] >= min) places.push(place)
  return places
}

/** Pairs sorted by source, then target; weights are the cosines. */
export interface NearPairs {
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
}

/** Rows that are compared with all later ones at once. */
const BLOCK = 16

/** Finds the `max` nearest other rows of each selected row (ties: the higher row), looking at each pair once. */
export function nearestOfEach(
  count: number,
  later: LaterNeighbours,
  max: number,
  {
    isAsked = () => true,
    progress,
  }: { isAsked?: (row: number) => boolean; progress?: (done: number, total: number) => void } = {},
): NearPairs {
  const neighbours = Array.from({ length: count }, (_, row) =>
    isAsked(row) ? createNearest(max) : undefined,
  )
  for (let first = 0; first < count; first += BLOCK) {
    progress?.(first, count)
    later(first, Math.min(BLOCK, count - first)).forEach(({ rows, scores }, i) => {
      rows.forEach((row, index) => {
        neighbours[first + i]?.offer(row, scores[index])
        neighbours[row]?.offer(first + i, scores[index])
      })
    })
  }
  const sources: number[] = []
  const targets: number[] = []
  const weights: number[] = []
  neighbours.forEach((nearest, source) => {
    const { rows, scores } = nearest?.best() ?? EMPTY_RANKING
    for (const index of Array.from(rows.keys()).sort((a, b) => rows[a] - rows[b])) {
      sources.push(source)
      targets.push(rows[index])
      weights.push(scores[index])
    }
  })
  return {
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    weights: Float64Array.from(weights),
  }
}

/** Keeps the `max` nearest of the offered rows: collects twice as many, then keeps the better half. */
function createNearest(max: number): { offer(row: number, score: number): void; best(): Ranking } {
  let rows: number[] = []
  let scores: number[] = []
  const best = () => rankPairs(rows, scores, max)
  return {
    best,
    offer(row, score) {
      rows.push(row)
      scores.push(score)
      if (rows.length < 2 * max) return
      const ranking = best()
      rows = Array.from(ranking.rows)
      scores = Array.from(ranking.scores)
    },
  }
}

/**
 * At most `count` orthonormal vectors in the directions that rows share: sample rows after a step of power iteration over the
 * sample, orthonormal by Gram and Schmidt, subtracted twice for precision.
 */
function basisOf({ rows, dims, vector }: VectorIndex, count: number): Float32Array[] {
  const sample = Array.from({ length: Math.ceil(rows / 16) }, (_, i) => Float64Array.from(vector(16 * i)))
  const basis: Float64Array[] = []
  for (let i = 0; i < sample.length; i += Math.ceil(sample.length / count)) {
    const axis = new Float64Array(dims)
    for (const row of sample) add(axis, dot(row, sample[i]), row)
    const length = Math.sqrt(dot(axis, axis))
    for (const other of [...basis, ...basis]) add(axis, -dot(axis, other), other)
    const rest = Math.sqrt(dot(axis, axis))
    if (rest > 1e-6 * length) basis.push(axis.map((value) => value / rest))
  }
  return basis.map((axis) => Float32Array.from(axis))
}

function add(sum: Float64Array, factor: number, vector: Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] += factor * vector[i]
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

function squared(vector: Float32Array): number {
  return vector.reduce((sum, value) => sum + value * value, 0)
}
