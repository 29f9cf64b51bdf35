import { openKernel } from '../../kernel.ts'

/** A matrix in float64, row after row; `columns` is a multiple of 4 (zero columns fill up). */
export interface Dense {
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
}

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
const PANEL = 32

/** The kernel's `shape`. */
const UPPER_RESULT = 1
const UPPER_FACTOR = 2

export interface Multiply {
  /** x' x, symmetric: each entry summed in row order. */
  gram(x: Dense): Float64Array
  /** x w for a square w, all of it or its upper triangle (the rest being 0): each entry summed in column order. */
  rotate(x: Dense, w: Float64Array, shape: 'whole' | 'upper'): Dense
}

/** Products of matrices of `columns` columns. Keep it for a whole decomposition: the engine optimises a kernel as it runs. */
export function openMultiply(columns: number): Multiply {
  const stride = 8 * columns
  const panelAt = columns * stride
  const outAt = panelAt + PANEL * stride
  const binary = new URL('./multiply.wasm', import.meta.url)
  const { functions, memory } = openKernel<MultiplyKernel>(binary, outAt + PANEL * stride)
  const { multiply } = functions
  const square = new Float64Array(memory, 0, columns * columns)
  const panel = new Float64Array(memory, panelAt, PANEL * columns)
  const out = new Float64Array(memory, outAt, PANEL * columns)

  function load({ rows, values }: Dense, from: number): number {
    const count = Math.min(PANEL, rows - from)
    panel.set(values.subarray(from * columns, (from + count) * columns))
    return count
  }

  return {
    gram(x) {
      square.fill(0)
      for (let from = 0; from < x.rows; from += PANEL) {
        const count = load(x, from)
        multiply(panelAt, 8, stride, panelAt, stride, 0, stride, columns, columns, count, UPPER_RESULT)
      }
      const whole = square.slice()
      for (let i = 0; i < columns; i++)
        for (let j = 0; j < i; j++) whole[i * columns + j] = whole[j * columns + i]
      return whole
    },
    rotate(x, w, shape) {
      square.set(w)
      const values = new Float64Array(x.rows * columns)
      for (let from = 0; from < x.rows; from += PANEL) {
        const count = load(x, from)
        out.fill(0)
        multiply(
          panelAt,
          stride,
          8,
          0,
          stride,
          outAt,
          stride,
          PANEL,
          columns,
          columns,
          shape === 'upper' ? UPPER_FACTOR : 0,
        )
        values.set(out.subarray(0, count * columns), from * columns)
      }
      return { rows: x.rows, columns, values }
    },
  }
}
