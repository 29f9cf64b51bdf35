import fc from 'fast-check'
import { Matrix, SingularValueDecomposition } from 'ml-matrix'
import { describe, expect, it } from 'vitest'
import { decompose } from '../../src/models/lsa/decompose.ts'
import { type Dense, entryAt, readRows } from '../../src/models/lsa/dense.ts'
import { naturalLog } from '../../src/models/lsa/logarithm.ts'
import { createFolder, dimensionsFor, fitLsa } from '../../src/models/lsa/model.ts'
import { openMultiply } from '../../src/models/lsa/multiply.ts'
import { orthonormal } from '../../src/models/lsa/orthonormal.ts'
import { openTimes, type Sparse, transposeSparse } from '../../src/models/lsa/sparse.ts'
import { globalWeights, localWeight, weightedTerms } from '../../src/models/lsa/weights.ts'
import { createRandom } from '../../src/random.ts'
import { countTerms } from '../../src/text/term-counts.ts'

const silent = () => {}

function denseOf(rows: number, columns: number, seed: number) {
  const random = createRandom(seed)
  const values = Float64Array.from({ length: rows * columns }, () => random.uniform() - 0.5)
  return { rows, columns, values }
}

/** The entries of a matrix row after row. */
function byRows(x: Dense): Float64Array {
  const values = new Float64Array(x.values.length)
  readRows(x, 0, x.rows, values)
  return values
}

function sparseOf(rows: number, columns: number, seed: number): Sparse {
  const random = createRandom(seed)
  const offsets = new Uint32Array(rows + 1)
  const indices: number[] = []
  const values: number[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      if (random.uniform() < 0.3) {
        indices.push(column)
        values.push(random.uniform() - 0.3)
      }
    offsets[row + 1] = indices.length
  }
  return { rows, columns, offsets, indices: Uint32Array.from(indices), values: Float64Array.from(values) }
}

function dense({ rows, columns, offsets, indices, values }: Sparse): Matrix {
  const matrix = Matrix.zeros(rows, columns)
  for (let row = 0; row < rows; row++)
    for (let at = offsets[row]; at < offsets[row + 1]; at++) matrix.set(row, indices[at], values[at])
  return matrix
}

/** Texts of four topics with words of their own and some words of all. */
function topics(count: number, seed: number): string[] {
  const random = createRandom(seed)
  const word = (topic: number) =>
    random.uniform() < 0.3 ? `all${random.below(20)}` : `topic${topic}word${random.below(25)}`
  return Array.from({ length: count }, (_, i) => Array.from({ length: 12 }, () => word(i % 4)).join(' '))
}
const analyze = (text: string) => text.split(' ').filter((word) => word !== '')
const FIT = { dims: 400, seed: 0 }

describe('lsa kernels', () => {
  it('multiply as plain loops, bit for bit', () => {
    fc.assert(
      fc.property(fc.nat(90), fc.constantFrom(16, 32), fc.nat(), (rows, columns, seed) => {
        const x = denseOf(rows, columns, seed)
        const w = denseOf(columns, columns, seed + 1).values
        const upper = w.map((value, at) => (at % columns >= Math.floor(at / columns) ? value : 0))
        const { gram, rotate } = openMultiply(columns)
        const sum = (count: number, term: (k: number) => number) => {
          let total = 0
          for (let k = 0; k < count; k++) total += term(k)
          return total
        }
        const value = (row: number, column: number) => x.values[entryAt(rows, row, column)]
        const each = (count: number, entry: (i: number, j: number) => number) =>
          Float64Array.from({ length: count * columns }, (_, at) =>
            entry(Math.floor(at / columns), at % columns),
          )
        const product = (factor: Float64Array) =>
          each(rows, (row, j) => sum(columns, (k) => value(row, k) * factor[k * columns + j]))
        expect(gram(x)).toEqual(each(columns, (i, j) => sum(rows, (k) => value(k, i) * value(k, j))))
        for (const [factor, shape] of [
          [w, 'whole'],
          [upper, 'upper'],
        ] as const) {
          const rotated = { ...x, values: x.values.slice() }
          rotate(rotated, factor, shape)
          expect(byRows(rotated)).toEqual(product(factor))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('multiply a sparse matrix as a dense one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        (rows, columns, seed) => {
          const sparse = sparseOf(rows, columns, seed)
          const x = denseOf(columns, 32, seed + 1)
          const expected = dense(sparse).mmul(Matrix.from1DArray(columns, 32, Array.from(byRows(x))))
          const product = openTimes(sparse, 32)(x)
          byRows(product).forEach((value, at) => {
            expect(value).toBeCloseTo(expected.get(Math.floor(at / 32), at % 32), 12)
          })
          expect(dense(transposeSparse(sparse))).toEqual(dense(sparse).transpose())
          expect(transposeSparse(transposeSparse(sparse))).toEqual(sparse)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('make columns orthonormal, dependent ones 0', () => {
    const x = denseOf(50, 16, 3)
    for (let row = 0; row < 50; row++)
      x.values[row * 16 + 5] = x.values[row * 16] - 2 * x.values[row * 16 + 2]
    const multiply = openMultiply(16)
    const square = multiply.gram(orthonormal(orthonormal(x, multiply), multiply))
    square.forEach((value, at) => {
      const [i, j] = [Math.floor(at / 16), at % 16]
      expect(value).toBeCloseTo(i === j && i !== 5 ? 1 : 0, 14)
    })
  })

  it('take logarithms to the last digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (x) => {
        expect(Math.abs(naturalLog(x) - Math.log(x))).toBeLessThanOrEqual(
          4e-16 * Math.max(1, Math.abs(Math.log(x))),
        )
      }),
    )
    expect(naturalLog(1)).toBe(0)
  })
})

describe('truncated singular value decomposition', () => {
  it.each([
    [40, 25],
    [25, 40],
  ])('of %i by %i agrees with the exact one', (rows, columns) => {
    const sparse = sparseOf(rows, columns, 11)
    const { singular, left } = decompose(sparse, 10, 0, silent)
    const exact = new SingularValueDecomposition(dense(sparse), { autoTranspose: true })
    // The range finder sees 20 of 25 directions: the first are exact to its power iterations.
    for (let i = 0; i < 5; i++) {
      expect(singular[i] / exact.diagonal[i]).toBeCloseTo(1, 4)
      let dot = 0
      for (let row = 0; row < rows; row++) dot += left[row * 10 + i] * exact.leftSingularVectors.get(row, i)
      expect(Math.abs(dot)).toBeCloseTo(1, 2)
    }
    expect([...singular]).toEqual([...singular].sort((a, b) => b - a))
  })

  it('keeps no direction that the matrix does not have', () => {
    const one = {
      rows: 4,
      columns: 3,
      offsets: Uint32Array.of(0, 1, 2, 3, 4),
      indices: Uint32Array.of(1, 1, 1, 1),
      values: Float64Array.of(1, 2, 3, 4),
    }
    const { singular } = decompose(one, 3, 0, silent)
    expect(singular).toHaveLength(1)
    expect(singular[0]).toBeCloseTo(Math.sqrt(30), 12)
  })
})

describe('lsa', () => {
  const texts = topics(120, 5)
  const counts = countTerms(texts, analyze)

  it('weighs by log-entropy: 1 for a term of one text, 0 for one spread evenly over all', () => {
    const spread = countTerms(['a b', 'a c', 'a d', 'a e'], analyze)
    const weights = globalWeights(spread)
    expect(weights[spread.terms.indexOf('a')]).toBeCloseTo(0, 12)
    expect(weights[spread.terms.indexOf('b')]).toBe(1)
    const { values, indices } = weightedTerms(counts, globalWeights(counts))
    const squares = new Float64Array(texts.length)
    values.forEach((value, at) => {
      squares[indices[at]] += value * value
    })
    for (const square of squares) expect(square).toBeCloseTo(1, 12)
  })

  it('gives the same bits for the same texts and seed', () => {
    expect(fitLsa(counts, FIT, silent)).toEqual(fitLsa(countTerms(texts, analyze), FIT, silent))
    expect(fitLsa(counts, { ...FIT, seed: 1 }, silent).basis).not.toEqual(fitLsa(counts, FIT, silent).basis)
  })

  it('folds a fitted text to its row of U S^(1/2)', () => {
    const model = fitLsa(counts, { ...FIT, dims: 20 }, silent)
    const fold = createFolder(model)
    const matrix = weightedTerms(counts, globalWeights(counts))
    const exact = new SingularValueDecomposition(dense(matrix), { autoTranspose: true })
    // A text's row in the exact decomposition, compared by cosine to another's, for sign and rotation do not matter.
    const row = (text: number) =>
      Array.from(
        { length: 20 },
        (_, i) => exact.rightSingularVectors.get(text, i) * Math.sqrt(exact.diagonal[i]),
      )
    const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
      let [ab, aa, bb] = [0, 0, 0]
      for (let i = 0; i < a.length; i++) {
        ab += a[i] * b[i]
        aa += a[i] * a[i]
        bb += b[i] * b[i]
      }
      return ab / Math.sqrt(aa * bb)
    }
    for (const [one, other] of [
      [0, 4],
      [1, 2],
      [7, 11],
      [30, 33],
    ])
      expect(cosine(fold(analyze(texts[one])), fold(analyze(texts[other])))).toBeCloseTo(
        cosine(row(one), row(other)),
        1,
      )
  })

  it('puts texts of one topic nearer than those of another, even without a word in common', () => {
    const fold = createFolder(fitLsa(counts, { ...FIT, dims: 4 }, silent))
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i], 0)
    const one = fold(['topic1word1', 'topic1word2', 'topic1word3'])
    expect(dot(one, fold(['topic1word10', 'topic1word11', 'topic1word12']))).toBeGreaterThan(0.8)
    expect(dot(one, fold(['topic2word10', 'topic2word11', 'topic2word12']))).toBeLessThan(0.3)
    expect(fold(['unknown', 'words'])).toEqual(new Float32Array(4))
    expect(fold([])).toEqual(new Float32Array(4))
  })

  it.each([2, 3, 4, 6, 12, 30, 60])('finds the one text of %i that holds a rare word', (size) => {
    const few = topics(size, 11).map((text, i) => `${text} rare${i} other${i}`)
    const fold = createFolder(fitLsa(countTerms(few, analyze), FIT, silent))
    const vectors = few.map((text) => fold(analyze(text)))
    for (const word of ['rare', 'other'])
      few.forEach((_, wanted) => {
        const query = fold([`${word}${wanted}`])
        const scores = vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * query[i], 0))
        const best = Math.max(...scores.filter((_, text) => text !== wanted))
        expect(scores[wanted]).toBeGreaterThan(best + 1e-4)
      })
  })

  it('has as many dims as so many texts allow, and works over no text', () => {
    expect(fitLsa(counts, FIT, silent).dims).toBe(43)
    // 586: the quickstart; a third of the texts from 144 on.
    const allowed = [0, 1, 2, 3, 16, 17, 36, 100, 143, 144, 147, 586].map(dimensionsFor)
    expect(allowed).toEqual([1, 1, 2, 3, 16, 16, 24, 40, 47, 48, 49, 195])
    for (const few of [[], [''], ['a'], ['a b', 'a b']]) {
      const model = fitLsa(countTerms(few, analyze), FIT, silent)
      expect(model.dims).toBe(1)
      expect(createFolder(model)(['a'])).toHaveLength(1)
    }
  })
})

it('weighs a term in a text by ln(1 + tf)', () => {
  for (const tf of [1, 2, 3, 10, 1000]) expect(localWeight(tf)).toBeCloseTo(Math.log(1 + tf), 12)
  expect(localWeight(0)).toBe(0)
})
