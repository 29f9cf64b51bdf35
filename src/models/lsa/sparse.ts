import { openKernel } from '../../kernel.ts'
import { type Dense, LANES } from './dense.ts'

/** A sparse matrix by rows: row i holds `values[at]` in column `indices[at]`, offsets[i] <= at < offsets[i + 1]. */
export interface Sparse {
  readonly rows: number
  readonly columns: number
  readonly offsets: Uint32Array
  readonly indices: Uint32Array
  readonly values: Float64Array
}

export function transposeSparse({ rows, columns, offsets, indices, values }: Sparse): Sparse {
  const starts = new Uint32Array(columns + 1)
  for (const column of indices) starts[column + 1]++
  for (let column = 0; column < columns; column++) starts[column + 1] += starts[column]
  const next = starts.slice(0, columns)
  const turned = new Uint32Array(indices.length)
  const moved = new Float64Array(values.length)
  for (let row = 0; row < rows; row++)
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const index = next[indices[at]]++
      turned[index] = row
      moved[index] = values[at]
    }
  return { rows: columns, columns: rows, offsets: starts, indices: turned, values: moved }
}

/** The function of sparse.wat; every argument is an address or a count. */
interface SparseKernel {
  times16(rows: number, offsets: number, indices: number, values: number, x: number, out: number): void
}

/**
 * x -> a x for dense x, panel by panel: each entry summed in the order in which the row is stored.
 * `width` is the columns of every x. The next call reuses the product's memory.
 */
export function openTimes(
  { rows, columns, offsets, indices, values }: Sparse,
  width: number,
): (x: Dense) => Dense {
  const xAt = 8 * values.length
  const outAt = xAt + 8 * LANES * columns
  const offsetsAt = outAt + 8 * LANES * rows
  const indicesAt = offsetsAt + 4 * offsets.length
  const binary = new URL('./sparse.wasm', import.meta.url)
  const { functions, memory } = openKernel<SparseKernel>(binary, indicesAt + 4 * indices.length)
  new Float64Array(memory, 0, values.length).set(values)
  new Uint32Array(memory, offsetsAt, offsets.length).set(offsets)
  new Uint32Array(memory, indicesAt, indices.length).set(indices)
  const xLanes = new Float64Array(memory, xAt, LANES * columns)
  const outLanes = new Float64Array(memory, outAt, LANES * rows)

  const product: Dense = { rows, columns: width, values: new Float64Array(rows * width) }

  return (x) => {
    for (let first = 0; first < width; first += LANES) {
      xLanes.set(x.values.subarray(first * columns, (first + LANES) * columns))
      functions.times16(rows, offsetsAt, indicesAt, 0, xAt, outAt)
      product.values.set(outLanes, first * rows)
    }
    return product
  }
}
