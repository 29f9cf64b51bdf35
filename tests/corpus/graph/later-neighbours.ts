import type { LaterNeighbours } from '../../../src/corpus/dense/near.ts'

/** The pairs of `count` rows whose cosine, in float64, is at least `min`, by looking at all. */
export function laterOf(
  count: number,
  cosine: (a: number, b: number) => number,
  min: number,
): LaterNeighbours {
  return (first, neighbours) =>
    Array.from({ length: neighbours }, (_, i) => {
      const later = Array.from({ length: count }, (_, row) => row).filter(
        (row) => row > first + i && cosine(first + i, row) >= min,
      )
      return {
        rows: Uint32Array.from(later),
        scores: Float64Array.from(later, (row) => cosine(first + i, row)),
      }
    })
}
