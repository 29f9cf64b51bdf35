import { createRequire } from 'node:module'
import { createRandom } from '../../random.ts'
import { type Dense, entryAt, LANES, openMultiply, orthonormal } from './dense.ts'
import { openTimes, type Sparse, transposeSparse } from './sparse.ts'

const require = createRequire(import.meta.url)

/**
 * Truncated singular value decomposition by a randomised range finder (Halko, Martinsson, Tropp, SIAM Review 2011,
 * algorithms 4.4 and 5.1) of m, the matrix or its transpose, whichever has fewer rows. Sums have a fixed order.
 *
 *     q = orth(m r), r of random signs;  4 times: q = orth(m m'q)
 *     b' = m'q;  b b' = w s^2 w';  m is about q w s (b' w / s)'
 */
interface Decomposition {
  /** Largest first; at most as many as requested, none that is 0 to the precision reached. */
  readonly singular: Float64Array
  readonly left: Float64Array
}

const POWER_ITERATIONS = 4
const OVERSAMPLING = 10
/** Smallest singular value as a share of the largest; below it b b' drowns in float64. */
const MIN = 1e-6

export function decompose(
  matrix: Sparse,
  dims: number,
  seed: number,
  progress: (done: number, total: number) => void,
): Decomposition {
  if (matrix.values.length === 0) return { singular: new Float64Array(0), left: new Float64Array(0) }
  const turned = transposeSparse(matrix)
  const [m, back] = matrix.rows <= matrix.columns ? [matrix, turned] : [turned, matrix]
  const wanted = Math.min(dims + OVERSAMPLING, m.rows)
  // Zero columns fill up to the kernels' width, and stay zero.
  const width = LANES * Math.ceil(wanted / LANES)
  const timesM = openTimes(m, width)
  const timesBack = openTimes(back, width)
  const total = POWER_ITERATIONS + 2
  const multiply = openMultiply(width)
  let q = orthonormal(timesM(signs(m.columns, width, wanted, seed)), multiply)
  for (let iteration = 0; iteration < POWER_ITERATIONS; iteration++) {
    progress(iteration + 1, total)
    q = orthonormal(timesM(timesBack(q)), multiply)
  }
  q = orthonormal(q, multiply)
  progress(total - 1, total)
  const b = timesBack(q)
  const { squares, vectors } = eigen(multiply.gram(b), width)
  const singular = squares.map((square) => Math.sqrt(Math.max(0, square)))
  const significant = singular.filter((value, index) => index < dims && value > MIN * singular[0])
  const side = m === matrix ? q : b
  multiply.rotate(side, vectors, 'whole')
  const left = cut(side, significant, m === matrix ? () => 1 : (value) => 1 / value)
  progress(total, total)
  return { singular: significant, left }
}

function signs(rows: number, columns: number, filled: number, seed: number): Dense {
  const random = createRandom(seed)
  const values = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < filled; i++) values[entryAt(rows, row, i)] = random.bits() < 2 ** 31 ? -1 : 1
  return { rows, columns, values }
}

/** Largest first; vectors by column. */
function eigen(symmetric: Float64Array, size: number): { squares: Float64Array; vectors: Float64Array } {
  const { EigenvalueDecomposition, Matrix } = require('ml-matrix') as typeof import('ml-matrix')
  const decomposition = new EigenvalueDecomposition(Matrix.from1DArray(size, size, Array.from(symmetric)), {
    assumeSymmetric: true,
  })
  const values = decomposition.realEigenvalues
  const order = values.map((_, index) => index).sort((a, b) => values[b] - values[a] || a - b)
  const vectors = new Float64Array(size * size)
  order.forEach((index, column) => {
    for (let row = 0; row < size; row++)
      vectors[row * size + column] = decomposition.eigenvectorMatrix.get(row, index)
  })
  return { squares: Float64Array.from(order, (index) => values[index]), vectors }
}

function cut(x: Dense, singular: Float64Array, factor: (singular: number) => number): Float64Array {
  const dims = singular.length
  const values = new Float64Array(x.rows * dims)
  for (let row = 0; row < x.rows; row++)
    for (let i = 0; i < dims; i++)
      values[row * dims + i] = x.values[entryAt(x.rows, row, i)] * factor(singular[i])
  return values
}
