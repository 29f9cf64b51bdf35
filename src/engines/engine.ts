import type { Ranking } from '../types.ts'

/** Vectors of chunks in a system of somebody else's: what a driver of it gives. One driver a file, one suite over all. */
export interface Engine {
  /** The chunks nearest to a vector that is not zero: rows and cosines, at most `depth`, as the engine finds them. */
  search(vector: Float32Array, depth: number): Promise<Ranking>
  close(): Promise<void>
}

/** What a driver is given to keep: row r's vector, of length 1, or all zeros, which nothing finds. */
export interface EngineRows {
  readonly rows: number
  readonly dims: number
  vector(row: number): Float32Array
}

/** Rows that go into an engine at once. */
export const BATCH = 1000

/** The numbers of the rows that are not zero, in pieces. */
export function* batchesOf({ rows, vector }: EngineRows): Generator<number[]> {
  let batch: number[] = []
  for (let row = 0; row < rows; row++) {
    if (vector(row).every((value) => value === 0)) continue
    batch.push(row)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
