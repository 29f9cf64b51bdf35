import { Matrix, SingularValueDecomposition } from 'ml-matrix'
import { describe, expect, it } from 'vitest'
import { decompose } from '../../src/models/lsa/decompose.ts'
import { createFolder, fitLsa, globalWeights, weightedTerms } from '../../src/models/lsa/model.ts'
import type { Sparse } from '../../src/models/lsa/sparse.ts'
import { createRandom } from '../../src/random.ts'
import { countTerms } from '../../src/text/term-counts.ts'

const silent = () => {}

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
})

describe('lsa', () => {
  const texts = topics(120, 5)
  const counts = countTerms(texts, analyze)

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
    for (const [left, other] of [
      [0, 4],
      [1, 2],
      [7, 11],
      [30, 33],
    ])
      expect(cosine(fold(analyze(texts[left])), fold(analyze(texts[other])))).toBeCloseTo(
        cosine(row(left), row(other)),
        1,
      )
  })
})
