import type { Dense } from './dense.ts'
import type { Multiply } from './multiply.ts'

/** A column whose part orthogonal to those before it is shorter than this share of its own length is noise: it becomes 0. */
const MIN = 1e-13

/**
 * Replaces the columns of x by orthonormal ones of the same space by Cholesky QR: x'x = R'R, q = x R^-1; a dependent
 * column becomes 0. Called twice, it reaches float64's precision (Yamamoto et al., 2015).
 */
export function orthonormal(x: Dense, { gram, rotate }: Multiply): Dense {
  rotate(x, inverseFactor(gram(x), x.columns), 'upper')
  return x
}

/** R^-1, upper triangular, of a symmetric g = R'R; a dependent column's row and column of R^-1 are 0. */
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
