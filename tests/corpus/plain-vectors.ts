import { rankPairs } from '../../src/ranking/order.ts'
import type { Ranking } from '../../src/types.ts'

/** The float32 dot product in lane order, as a plain loop: what dot.wat computes, equal bit for bit. */
export function plainDot(a: Float32Array, b: Float32Array): number {
  const sums = new Float32Array(16)
  for (let i = 0; i < a.length; i++) sums[i % 16] += Math.fround(a[i] * b[i])
  const lane = new Float32Array(4)
  for (let l = 0; l < 4; l++)
    lane[l] = Math.fround(sums[l] + sums[l + 4]) + Math.fround(sums[l + 8] + sums[l + 12])
  return Math.fround(Math.fround(lane[0] + lane[1]) + Math.fround(lane[2] + lane[3]))
}

/** Exact search as it is defined: score every row, order, cut. */
export function plainSearch(
  matrix: Float32Array,
  dims: number,
  vector: Float32Array,
  depth: number,
): Ranking {
  const rows: number[] = []
  const scores: number[] = []
  if (vector.some((x) => x !== 0))
    for (let row = 0; row < matrix.length / dims; row++) {
      const values = matrix.subarray(row * dims, (row + 1) * dims)
      if (values.every((x) => x === 0)) continue
      rows.push(row)
      scores.push(plainDot(values, vector))
    }
  return rankPairs(rows, scores, depth)
}
