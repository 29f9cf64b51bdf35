import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSparse, sparsePostings } from '../../src/corpus/dense/sparse.ts'

const vector = fc
  .dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fc.integer({ min: 1, max: 64 }).map((n) => n / 16),
  )
  .map((weights) => ({ terms: Object.keys(weights), weights: Object.values(weights) }))

test('a score is the product of two sparse vectors', () => {
  fc.assert(
    fc.property(fc.array(vector, { maxLength: 8 }), vector, (texts, query) => {
      const scores = openSparse(sparsePostings(texts)).scores(query)
      const expected = texts.map(({ terms, weights }) =>
        query.terms.reduce((sum, term, i) => sum + query.weights[i] * (weights[terms.indexOf(term)] ?? 0), 0),
      )
      // Sixteenths are exact in float32.
      expect([...scores]).toEqual(expected)
    }),
  )
})
