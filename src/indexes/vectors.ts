import { UserError } from '../errors.ts'
import { MOST_BYTES, openKernel } from '../models/kernel.ts'
import { EMPTY, rankPairs } from '../ranking/order.ts'
import type { Ranking } from '../types.ts'
import { type Bound, createCandidates } from './candidates.ts'
import { quantize } from './quantize.ts'

/**
 * Exact search over the rows of a matrix by dot product, which is the cosine for L2-normalised rows.
 *
 * A score is the float32 dot product in lane order (dot.wat), as a float64. To find the best `depth` rows, all rows are
 * first scored as int8 against the query as int16, in exact integers; every row whose integer score plus its error
 * bound could still reach the asked depth (candidates.ts) is then scored in float32. Integer sums do not depend on what
 * is computed beside them, so a query's result is the same alone and in a block, bit for bit.
 */
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

/** The functions of dot.wat; every argument is an address or a count. */
interface DotKernel {
  scan(rows: number, count: number, width: number, query: number, out: number): void
  scan4(rows: number, count: number, width: number, queries: number, out: number): void
  dot(a: number, b: number, width: number): number
}

/** Queries that are scored while a row is in the processor's registers. */
const BLOCK = 4
const INT8 = 127
const INT16 = 32_767

/**
 * Makes the rows of `matrix` (row after row, `dims` each) searchable. The matrix is copied. Throws where a number is
 * not finite, and a UserError where rows and their int8 forms do not fit in 4 GB.
 */
export function openVectors(matrix: Float32Array, dims: number): VectorIndex {
  const rows = dims === 0 ? 0 : matrix.length / dims
  if (!Number.isInteger(rows)) throw new Error(`${matrix.length} numbers are no rows of ${dims}`)
  // Rows are padded with zeros to whole sixteens; adding 0 to a lane changes nothing.
  const width = Math.max(16, Math.ceil(dims / 16) * 16)
  const queryAt = 4 * rows * width
  const queriesAt = queryAt + 4 * width
  const integersAt = queriesAt + 2 * BLOCK * width
  const outAt = Math.ceil((integersAt + rows * width) / 16) * 16
  const bytes = outAt + 4 * BLOCK * rows
  if (bytes > MOST_BYTES)
    throw new UserError(
      `exact search over ${rows} vectors of ${dims} dims wants ${(bytes / 2 ** 30).toFixed(1)} GB; it can hold 4`,
    )
  const { functions: kernel, memory } = openKernel<DotKernel>(new URL('./dot.wasm', import.meta.url), bytes)
  const floats = new Float32Array(memory, 0, rows * width)
  const query = new Float32Array(memory, queryAt, width)
  const queries = new Int16Array(memory, queriesAt, BLOCK * width)
  const integers = new Int8Array(memory, integersAt, rows * width)
  const out = new Int32Array(memory, outAt, BLOCK * rows)
  // An int16 query must not overflow the int32 sums.
  const limit = Math.min(INT16, Math.floor((2 ** 31 - 1) / (INT8 * width)))

  const scale = new Float64Array(rows)
  const size = new Float64Array(rows)
  const error = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const vector = matrix.subarray(row * dims, (row + 1) * dims)
    floats.set(vector, row * width)
    const quantized = quantize(vector, INT8, integers, row * width)
    scale[row] = quantized.scale
    size[row] = quantized.size
    error[row] = quantized.error
  }
  const candidates = createCandidates({ scale, size, error })

  function check(vector: Float32Array): void {
    if (vector.length !== dims) throw new Error(`a vector of ${vector.length} dims against rows of ${dims}`)
  }

  const dot = (row: number) => kernel.dot(4 * row * width, queryAt, width)

  /** Fills `out` with the integer scores of up to four vectors, one list behind the other. */
  function scan(block: readonly Float32Array[]): Bound[] {
    const bounds = block.map((vector, place) => {
      const { scale, size, error } = quantize(vector, limit, queries, place * width)
      // Float32 rounds `width` products and sums; `(width + 16) * 2^-24` of the lengths is more than it can be off.
      return { scale, size, slack: error + (width + 16) * 2 ** -24 * size }
    })
    if (block.length === 1) kernel.scan(integersAt, rows, width, queriesAt, outAt)
    else kernel.scan4(integersAt, rows, width, queriesAt, outAt)
    return bounds
  }

  function search(vectors: readonly Float32Array[], depth: number, within?: Uint8Array): Ranking[] {
    vectors.forEach(check)
    if (within && within.length !== rows)
      throw new Error(`a mask of ${within.length} bytes over ${rows} rows`)
    const found: Ranking[] = []
    for (let from = 0; from < vectors.length; from += BLOCK) {
      const block = vectors.slice(from, from + BLOCK)
      scan(block).forEach((bound, place) => {
        if (bound.scale === 0 || depth < 1) {
          found.push(EMPTY)
          return
        }
        const chosen = candidates.choose(out.subarray(place * rows, (place + 1) * rows), bound, depth, within)
        query.set(block[place])
        found.push(rankPairs(chosen, Float64Array.from(chosen, dot), depth))
      })
    }
    return found
  }

  return {
    rows,
    dims,
    search,
    cosine(row, vector) {
      check(vector)
      query.set(vector)
      return dot(row)
    },
    scores(vector) {
      check(vector)
      query.set(vector)
      const scores = new Float32Array(rows)
      for (let row = 0; row < rows; row++) scores[row] = dot(row)
      return scores
    },
    vector: (row) => matrix.slice(row * dims, (row + 1) * dims),
  }
}
