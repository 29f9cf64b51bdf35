import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalize } from '../../src/ranking/normalize.ts'
import { rankScores } from '../../src/ranking/order.ts'
import { prior } from '../../src/ranking/prior.ts'

/** Few distinct values, so that ties and constant sides are common. */
const row = fc.record({
  cosine: fc.constantFrom(-0.5, 0, 0.1, 0.3, 0.30001, 0.9),
  below: fc.constantFrom(0, 1e-6, 0.2),
  above: fc.constantFrom(0, 1e-6, 0.2),
  bm25: fc.constantFrom(0, 0, 1, 2.5, 7),
})

it('ranks by bounds as by all cosines, bit for bit', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(0, 0.4, 0.6, 1),
      fc.integer({ min: 1, max: 50 }),
      (rows, alpha, depth) => {
        const found = rows.map(({ bm25 }, place) => ({ bm25, place })).filter(({ bm25 }) => bm25 > 0)
        const lexical = {
          rows: Uint32Array.from(found, ({ place }) => place),
          scores: Float64Array.from(found, ({ bm25 }) => bm25),
        }
        const cosines = {
          lower: Float64Array.from(rows, ({ cosine, below }) => cosine - below),
          upper: Float64Array.from(rows, ({ cosine, above }) => cosine + above),
          exact: (places: readonly number[]) => places.map((place) => rows[place].cosine),
        }
        const dense = normalize({ scores: Float64Array.from(rows, ({ cosine }) => cosine) }, 'minmax')
        const sparse = normalize({ scores: Float64Array.from(rows, ({ bm25 }) => bm25) }, 'minmax')
        const plain = dense.map((score, place) => alpha * score + (1 - alpha) * sparse[place])
        expect(prior(cosines, lexical, alpha, depth)).toEqual(rankScores(plain, depth))
      },
    ),
  )
})
