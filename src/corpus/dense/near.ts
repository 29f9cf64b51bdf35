import { EMPTY_RANKING, rankPairs } from '../../ranking/order.ts'
import { rowCount } from '../../tables/column.ts'
import type { Ranking } from '../../types.ts'
import { openVectors, type VectorIndex } from './vectors.ts'

/**
 * Later rows with at least the minimum cosine, for each of `count` rows from `first` on. Rows ascend, scores are
 * cosines.
 */
export type LaterNeighbours = (first: number, count: number) => Ranking[]

/**
 * Exact search for pairs of rows whose cosine is at least `min`, which is above 0. With x_k the third of the dims that
 * vary most, and x_r the others,
 *
 *     x.y = x_k.y_k + x_r.y_r <= x_k.y_k + |x_r| |y_r|        (Cauchy and Schwarz)
 *
 * so the vectors (x_k, |x_r|) rule out nearly every row at a third of the cost. Remaining rows are scored by `index`, so
 * scores have the same bits as its search.
 */
export function laterNeighbours(index: VectorIndex, min: number): LaterNeighbours {
  const { rows, dims } = index
  const order = byVariation(index)
  // Together with the length of the other dims a multiple of 16.
  const kept = Math.min(dims, 16 * Math.ceil(dims / 48) - 1)
  const matrix = new Float32Array(rows * (kept + 1))
  let longest = 0
  for (let row = 0; row < rows; row++) {
    const vector = index.vector(row)
    matrix.set(shorten(vector, order, kept), row * (kept + 1))
    longest = Math.max(longest, squared(vector))
  }
  const shorts = openVectors(rowCount(matrix, kept + 1), kept + 1)
  // Exceeds float32 rounding of a score and of the lengths.
  const reach = min - (dims + 64) * 2 ** -23 * longest

  return (first, count) => {
    const asked = Array.from({ length: count }, (_, i) => shorts.vector(first + i))
    return shorts.scoresFrom(first + 1, asked).map((scores, i) => {
      const later: number[] = []
      for (let at = i; at < scores.length; at++) if (scores[at] >= reach) later.push(first + 1 + at)
      const cosines = index.cosines(later, index.vector(first + i))
      const isNear = (_: number, place: number) => cosines[place] >= min
      return {
        rows: Uint32Array.from(later.filter(isNear)),
        scores: Float64Array.from(cosines.filter(isNear)),
      }
    })
  }
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
  const found = Array.from({ length: count }, (_, row) => (isAsked(row) ? createNearest(max) : undefined))
  for (let first = 0; first < count; first += BLOCK) {
    progress?.(first, count)
    later(first, Math.min(BLOCK, count - first)).forEach(({ rows, scores }, i) => {
      rows.forEach((row, index) => {
        found[first + i]?.offer(row, scores[index])
        found[row]?.offer(first + i, scores[index])
      })
    })
  }
  const sources: number[] = []
  const targets: number[] = []
  const weights: number[] = []
  found.forEach((nearest, source) => {
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
      const kept = best()
      rows = Array.from(kept.rows)
      scores = Array.from(kept.scores)
    },
  }
}

function byVariation({ rows, dims, vector }: VectorIndex): number[] {
  const sums = new Float64Array(dims)
  for (let row = 0; row < rows; row++)
    vector(row).forEach((value, i) => {
      sums[i] += value * value
    })
  return Array.from(sums, (_, dim) => dim).sort((a, b) => sums[b] - sums[a])
}

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
