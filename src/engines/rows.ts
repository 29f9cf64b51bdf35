import type { Embeddings } from '../corpus/dense/embeddings.ts'
import type { EngineRows } from './engine.ts'

/** Embeddings as rows for an engine. */
export function engineRows({ vectors, dims }: Embeddings): EngineRows {
  return {
    rows: vectors.length,
    dims,
    vector(row) {
      const { buffer, byteOffset } = vectors[row]
      // A view into a table may begin anywhere.
      return new Float32Array(buffer.slice(byteOffset, byteOffset + 4 * dims))
    },
  }
}
