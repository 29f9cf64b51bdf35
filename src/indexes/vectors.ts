import type { Ranking } from '../types.ts'

/** Exact search over the rows of a matrix by dot product, which is the cosine for L2-normalised rows. */
export interface VectorIndex {
  readonly rows: number
  readonly dims: number
  /**
   * For each vector the `depth` rows with the highest cosine. Zero rows are found by nothing, a zero vector finds
   * nothing. `within`: only rows whose byte is not 0.
   */
  search(vectors: readonly Float32Array[], depth: number, within?: Uint8Array): Ranking[]
  /** The same number that `search` would score the row with. */
  cosine(row: number, vector: Float32Array): number
  /** The cosine of every row; 0 for zero rows. */
  scores(vector: Float32Array): Float32Array
  /** A copy of one row. */
  vector(row: number): Float32Array
}

/** Makes the rows of `matrix` (row after row, `dims` each) searchable. */
export function openVectors(_matrix: Float32Array, _dims: number): VectorIndex {
  throw new Error('being written')
}
