import { openKernel } from '../../kernel.ts'

/** Columns of a panel, whose share of a matrix mostly stays in the processor's cache. */
export const LANES = 16

/** Matrix in float64: panels of 16 columns one after the other, each row after row; zero columns fill up. */
export interface Dense {
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
}

export function entryAt(rows: number, row: number, column: number): number {
  const lane = column % LANES
  return (column - lane) * rows + LANES * row + lane
}

function readRows({ rows, columns, values }: Dense, from: number, count: number, to: Float64Array): void {
  for (let first = 0; first < columns; first += LANES) {
    let at = first * rows + LANES * from
    for (let row = 0; row < count; row++)
      for (let lane = 0; lane < LANES; lane++) to[row * columns + first + lane] = values[at++]
  }
}

function writeRows({ rows, columns, values }: Dense, to: number, count: number, from: Float64Array): void {
  for (let first = 0; first < columns; first += LANES) {
    let at = first * rows + LANES * to
    for (let row = 0; row < count; row++)
      for (let lane = 0; lane < LANES; lane++) values[at++] = from[row * columns + first + lane]
  }
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

/** Rows per block: few enough for the processor's cache. */
const ROWS = 32

/** The kernel's `shape`. */
const UPPER_RESULT = 1
const UPPER_FACTOR = 2

interface Multiply {
  /** x' x, symmetric: each entry summed in row order. */
  gram(x: Dense): Float64Array
  /** Replaces x by x w for a square w, or its upper triangle: summed in column order. */
  rotate(x: Dense, w: Float64Array, shape: 'whole' | 'upper'): void
}

/**
 * Products of matrices of `columns` columns. Keep it for a whole decomposition: the engine optimises a kernel as it
 * runs.
 */
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

/** A column is noise, and becomes 0, if its part orthogonal to those before it is shorter than this share. */
const MIN = 1e-13

/**
 * Replaces the columns of x by orthonormal ones of the same space by Cholesky QR: x'x = R'R, q = x R^-1; a dependent
 * column becomes 0. Called twice, it reaches float64's precision (Yamamoto et al., 2015).
 */
export function orthonormal(x: Dense, { gram, rotate }: Multiply): Dense {
  rotate(x, inverseFactor(gram(x), x.columns), 'upper')
  return x
}

function inverseFactor(g: Float64Array, size: number): Float64Array {
  const r = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    let pivot = g[i * size + i]
    for (let k = 0; k < i; k++) pivot -= r[k * size + i] * r[k * size + i]
    if (!(pivot > MIN * g[i * size + i])) continue
    const root = Math.sqrt(pivot)
    for (let j = i; j < size; j++) {
      let rest = g[i * size + j]
      for (let k = 0; k < i; k++) rest -= r[k * size + i] * r[k * size + j]
      r[i * size + j] = rest / root
    }
  }
  return invertUpper(r, size)
}

function invertUpper(r: Float64Array, size: number): Float64Array {
  const inverse = new Float64Array(size * size)
  for (let j = 0; j < size; j++) {
    if (r[j * size + j] === 0) continue
    inverse[j * size + j] = 1 / r[j * size + j]
    for (let i = j - 1; i >= 0; i--) {
      if (r[i * size + i] === 0) continue
      let sum = 0
      for (let k = i + 1; k <= j; k++) sum += r[i * size + k] * inverse[k * size + j]
      inverse[i * size + j] = -sum / r[i * size + i]
    }
  }
  return inverse
}
