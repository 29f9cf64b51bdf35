import { openKernel } from '../../kernel.ts'
import { type Dense, readRows, writeRows } from './dense.ts'

/** The function of multiply.wat; strides in bytes. */
interface MultiplyKernel {
  multiply(
    a: number,
    aRow: number,
    aColumn: number,
    b: number,
    bRow: number,
    c: number,
    cRow: number,
    m: number,
    n: number,
    k: number,
    shape: number,
  ): void
}

/** Rows that are copied into the kernel's memory at a time: few enough for the processor's cache. */
const ROWS = 32

/** The kernel's `shape`. */
const UPPER_RESULT = 1
const UPPER_FACTOR = 2

export interface Multiply {
  /** x' x, symmetric: each entry summed in row order. */
  gram(x: Dense): Float64Array
  /** Replaces x by x w for a square w, all of it or its upper triangle (the rest being 0): summed in column order. */
  rotate(x: Dense, w: Float64Array, shape: 'whole' | 'upper'): void
}

/** Products of matrices of `columns` columns. Keep it for a whole decomposition: the engine optimises a kernel as it runs. */
export function openMultiply(columns: number): Multiply {
  const stride = 8 * columns
  const blockAt = columns * stride
  const outAt = blockAt + ROWS * stride
  const binary = new URL('./multiply.wasm', import.meta.url)
  const { functions, memory } = openKernel<MultiplyKernel>(binary, outAt + ROWS * stride)
  const { multiply } = functions
  const square = new Float64Array(memory, 0, columns * columns)
  const block = new Float64Array(memory, blockAt, ROWS * columns)
  const out = new Float64Array(memory, outAt, ROWS * columns)

  function load(x: Dense, from: number): number {
    const count = Math.min(ROWS, x.rows - from)
    readRows(x, from, count, block)
    return count
  }

  return {
    gram(x) {
      square.fill(0)
      for (let from = 0; from < x.rows; from += ROWS) {
        const count = load(x, from)
        multiply(blockAt, 8, stride, blockAt, stride, 0, stride, columns, columns, count, UPPER_RESULT)
      }
      const whole = square.slice()
      for (let i = 0; i < columns; i++)
        for (let j = 0; j < i; j++) whole[i * columns + j] = whole[j * columns + i]
      return whole
    },
    rotate(x, w, shape) {
      square.set(w)
      for (let from = 0; from < x.rows; from += ROWS) {
        const count = load(x, from)
        out.fill(0)
        multiply(
          blockAt,
          stride,
          8,
          0,
          stride,
          outAt,
          stride,
          ROWS,
          columns,
          columns,
          shape === 'upper' ? UPPER_FACTOR : 0,
        )
        writeRows(x, from, count, out)
      }
    },
  }
}
