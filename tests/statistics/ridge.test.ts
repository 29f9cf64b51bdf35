import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitRidge } from '../../src/statistics/ridge.ts'

/** Solves Ax = b by Gauss and Jordan, with pivots. */
function solved(A: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = A.map((row, i) => [...row, b[i]])
  for (let column = 0; column < rows.length; column++) {
    const size = (row: number[]) => Math.abs(row[column])
    const pivot = rows.slice(column).reduce((most, row) => (size(row) > size(most) ? row : most))
    const at = rows.indexOf(pivot)
    ;[rows[column], rows[at]] = [rows[at], rows[column]]
    for (const [i, row] of rows.entries()) {
      if (i === column) continue
      const times = row[column] / pivot[column]
      for (let j = column; j < row.length; j++) row[j] -= times * pivot[j]
    }
  }
  return rows.map((row, i) => row[rows.length] / row[i])
}

/** The normal equations with a column of ones that is not penalised. */
function oracle(Z: readonly (readonly number[])[], y: readonly number[], penalty: number): number[] {
  const X = Z.map((row) => [1, ...row])
  const A = X[0].map((_, j) =>
    X[0].map((_, k) => X.reduce((sum, row) => sum + row[j] * row[k], 0) + (j === k && j > 0 ? penalty : 0)),
  )
  return solved(
    A,
    X[0].map((_, j) => X.reduce((sum, row, i) => sum + row[j] * y[i], 0)),
  )
}

const standardised = (rows: readonly (readonly number[])[]) => {
  const columns = rows[0].map((_, j) => rows.map((row) => row[j]))
  const scaled = columns.map((column) => {
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length
    const spread = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length)
    return column.map((value) => (spread > 1e-9 ? (value - mean) / spread : 0))
  })
  return rows.map((_, i) => scaled.map((column) => column[i]))
}

const problem = fc.integer({ min: 1, max: 5 }).chain((features) =>
  fc.record({
    rows: fc.array(
      fc.tuple(
        fc.array(fc.integer({ min: -5, max: 5 }), { minLength: features, maxLength: features }),
        fc.integer({ min: -4, max: 4 }),
        fc.integer({ min: -4, max: 4 }),
      ),
      { minLength: 3, maxLength: 15 },
    ),
    penalty: fc.constantFrom(0.01, 0.3, 1, 10),
  }),
)

test('weights solve the normal equations, and the prediction of a row left out is that of a fit without it', () => {
  fc.assert(
    fc.property(problem, ({ rows, penalty }) => {
      const features = rows.map(([row]) => row)
      const targets = [1, 2].map((at) => rows.map((row) => row[at as 1 | 2]))
      const fit = fitRidge(features, targets, penalty)
      const Z = standardised(features)
      const n = rows.length
      for (const [target, y] of targets.entries()) {
        const [intercept, ...weights] = oracle(Z, y, n * penalty)
        weights.forEach((weight, j) => {
          expect(fit.weights[target][j]).toBeCloseTo(weight, 8)
        })
        Z.forEach((z, i) => {
          const predicted = intercept + z.reduce((sum, value, j) => sum + value * weights[j], 0)
          expect(fit.predict(features[i])[target]).toBeCloseTo(predicted, 8)
          const others = (_: unknown, at: number) => at !== i
          const [without, ...slopes] = oracle(Z.filter(others), y.filter(others), n * penalty)
          const held = without + z.reduce((sum, value, j) => sum + value * slopes[j], 0)
          expect(fit.held[target][i]).toBeCloseTo(held, 8)
        })
      }
    }),
    { numRuns: 60 },
  )
})

test('an infinite penalty predicts the mean, and for a row left out that of the others', () => {
  const fit = fitRidge([[1], [2], [4]], [[1, 2, 6]], Number.POSITIVE_INFINITY)
  expect(fit.predict([100])).toEqual([3])
  expect([...fit.held[0]].map((value) => Number(value.toFixed(12)))).toEqual([4, 3.5, 1.5])
})

test('a feature that never changes says nothing', () => {
  const rows = [0, 1, 2].map((value) => [1e9, value])
  const fit = fitRidge(rows, [[0, 1, 2]], 0.01)
  expect(fit.weights[0][0]).toBe(0)
  expect(fit.predict([5, 2])).toEqual(fit.predict([1e9, 2]))
})
