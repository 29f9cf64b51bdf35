/**
 * Ridge regression (Hoerl and Kennard, Technometrics 12, 1970) of several targets on the same features. With z the features
 * standardised on these rows (mean 0, variance 1; a constant one is 0) and Z their matrix of n rows,
 *
 *     prediction(x) = mean(y) + z . w,    w = (Z'Z + n penalty I)^-1 Z'(y - mean(y))
 *
 * The intercept is not penalised; an infinite penalty leaves it alone. What a row's prediction would be were it left out of
 * the fit needs no other fit (Allen, Technometrics 16, 1974):
 *
 *     held_i = y_i - (y_i - prediction_i) / (1 - h_i),    h_i = 1/n + z_i'(Z'Z + n penalty I)^-1 z_i
 */
export interface Ridge {
  /** By target, of a row of features. */
  predict(features: ArrayLike<number>): number[]
  /** By target, by feature: of standardised features. */
  readonly weights: readonly Float64Array[]
  /** By target, by row: its prediction without it. */
  readonly held: readonly Float64Array[]
}

/** Fits at one penalty. `rows` are features; `targets` are by target, by row. Needs two rows. */
export function fitRidge(
  rows: readonly ArrayLike<number>[],
  targets: readonly ArrayLike<number>[],
  penalty: number,
): Ridge {
  const n = rows.length
  const features = rows[0].length
  const { means, spreads } = standardsOf(rows, features)
  const standardised = (row: ArrayLike<number>) =>
    Float64Array.from(means, (mean, j) => (spreads[j] > 0 ? (row[j] - mean) / spreads[j] : 0))
  const Z = rows.map(standardised)
  const root = Number.isFinite(penalty) ? rootOf(gram(Z, features, n * penalty)) : null
  const leverages = Z.map((z) => 1 / n + (root ? squared(forward(root, z)) : 0))
  const intercepts = targets.map((y) => sumOf(y) / n)
  const weights = targets.map((y, target) => {
    const products = new Float64Array(features)
    if (!root) return products
    for (let i = 0; i < n; i++)
      for (let j = 0; j < features; j++) products[j] += Z[i][j] * (y[i] - intercepts[target])
    return backward(root, forward(root, products))
  })
  const predicted = (z: Float64Array) => weights.map((w, target) => intercepts[target] + dot(w, z))
  const held = targets.map(() => new Float64Array(n))
  for (let i = 0; i < n; i++)
    for (const [target, value] of predicted(Z[i]).entries())
      held[target][i] = targets[target][i] - (targets[target][i] - value) / (1 - leverages[i])
  return { predict: (row) => predicted(standardised(row)), weights, held }
}

function standardsOf(rows: readonly ArrayLike<number>[], features: number) {
  const means = new Float64Array(features)
  const spreads = new Float64Array(features)
  for (let j = 0; j < features; j++) {
    for (const row of rows) means[j] += row[j] / rows.length
    for (const row of rows) spreads[j] += (row[j] - means[j]) ** 2 / rows.length
    // Rounding alone gives a constant a spread.
    spreads[j] = Math.sqrt(spreads[j]) > 1e-12 * Math.abs(means[j]) ? Math.sqrt(spreads[j]) : 0
  }
  return { means, spreads }
}

/** Z'Z with `diagonal` added: its lower half, row after row. */
function gram(Z: readonly Float64Array[], features: number, diagonal: number): Float64Array[] {
  const product = Array.from({ length: features }, (_, j) => new Float64Array(j + 1))
  for (const z of Z)
    for (let j = 0; j < features; j++) for (let k = 0; k <= j; k++) product[j][k] += z[j] * z[k]
  for (let j = 0; j < features; j++) product[j][j] += diagonal
  return product
}

/** The lower Cholesky root L of a positive definite A = LL', in its place. */
function rootOf(A: readonly Float64Array[]): readonly Float64Array[] {
  for (const [j, row] of A.entries())
    for (let k = 0; k <= j; k++) {
      let rest = row[k]
      for (let i = 0; i < k; i++) rest -= row[i] * A[k][i]
      row[k] = j === k ? Math.sqrt(rest) : rest / A[k][k]
    }
  return A
}

/** x with Lx = b. */
function forward(L: readonly Float64Array[], b: Float64Array): Float64Array {
  const x = Float64Array.from(b)
  for (const [j, row] of L.entries()) {
    for (let k = 0; k < j; k++) x[j] -= row[k] * x[k]
    x[j] /= row[j]
  }
  return x
}

/** x with L'x = b. */
function backward(L: readonly Float64Array[], b: Float64Array): Float64Array {
  const x = Float64Array.from(b)
  for (let j = L.length - 1; j >= 0; j--) {
    for (let k = j + 1; k < L.length; k++) x[j] -= L[k][j] * x[k]
    x[j] /= L[j][j]
  }
  return x
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j]
  return sum
}

const squared = (a: Float64Array) => dot(a, a)

function sumOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]
  return sum
}
