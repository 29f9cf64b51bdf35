import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { laterNeighbours } from '../../src/corpus/dense/near.ts'
import { openVectors } from '../../src/corpus/dense/vectors.ts'
import { findSynonyms } from '../../src/corpus/graph/hippo-graph.ts'
import { createRandom } from '../../src/random.ts'
import { rowCount } from '../../src/tables/column.ts'

/** Rows near to each other and far off, some of them equal, one of them zero, some not of length 1. */
const matrices = fc
  .record({
    rows: fc.integer({ min: 1, max: 80 }),
    dims: fc.integer({ min: 1, max: 70 }),
    noise: fc.constantFrom(0, 0.2, 0.5, 2),
    longer: fc.boolean(),
    seed: fc.nat(1000),
  })
  .map(({ rows, dims, noise, longer, seed }) => {
    const { uniform, below } = createRandom(seed)
    const spread = () => uniform() - 0.5
    const centres = Array.from({ length: 4 }, () => Float32Array.from({ length: dims }, spread))
    const matrix = new Float32Array(rows * dims)
    for (let row = 1; row < rows; row++) {
      const vector = centres[below(4)].map((value) => value + noise * spread())
      const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
      matrix.set(
        vector.map((value) => (value / length) * (longer ? 1 + row : 1)),
        row * dims,
      )
    }
    return { index: openVectors(rowCount(matrix, dims), dims), rows }
  })

describe('near rows', () => {
  it('are the synonyms that a search over all rows finds, bit for bit', () => {
    fc.assert(
      fc.property(
        matrices,
        fc.constantFrom(0.3, 0.8, 0.99),
        fc.integer({ min: 1, max: 100 }),
        (made, cosine, max) => {
          const { index, rows } = made
          const keys = Array.from({ length: rows }, (_, row) => `name ${row}`)
          const { sources, targets, weights } = findSynonyms(keys, laterNeighbours(index, cosine), max)
          const pairs = keys.flatMap((_, row) => {
            const { rows, scores } = index.search([index.vector(row)], keys.length)[0]
            return Array.from(rows, (other, place) => [row, other, scores[place]] as const)
              .filter(([, other, score]) => other !== row && score >= cosine)
              .slice(0, max)
              .sort(([, a], [, b]) => a - b)
          })
          expect(Array.from(sources, (source, i) => [source, targets[i], weights[i]])).toEqual(pairs)
        },
      ),
    )
  })
})
