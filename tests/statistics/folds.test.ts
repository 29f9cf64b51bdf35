import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ceilingShare,
  decidedByTies,
  smallCategories,
  unsolvedQueries,
} from '../../src/experiment/finish/health.ts'
import { makeFolds, makeSplit } from '../../src/statistics/tuned.ts'

const anyQueries = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 60 })
  .chain((ids) =>
    fc.record({
      ids: fc.constant(ids),
      categories: fc.array(fc.constantFrom('bridge', 'comparison', null), {
        minLength: ids.length,
        maxLength: ids.length,
      }),
      seed: fc.nat(),
    }),
  )

describe('folds', () => {
  test('every id keeps its fold whatever the order, and sizes differ by at most one', () => {
    fc.assert(
      fc.property(anyQueries, fc.integer({ min: 2, max: 5 }), ({ ids, categories, seed }, folds) => {
        const made = makeFolds({ ids, categories, seed, folds })
        const turned = makeFolds({
          ids: [...ids].reverse(),
          categories: [...categories].reverse(),
          seed,
          folds,
        })
        expect(Array.from(turned).reverse()).toEqual(Array.from(made))
        for (const category of [undefined, 'bridge', 'comparison', null]) {
          const sizes = Array.from(
            { length: folds },
            (_, fold) =>
              made.filter(
                (part, place) => part === fold && (category === undefined || categories[place] === category),
              ).length,
          )
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
  test('a split takes its share of each category', () => {
    fc.assert(
      fc.property(anyQueries, ({ ids, categories, seed }) => {
        const parts = makeSplit({ ids, categories, seed, dev: 0.5 })
        const dev = parts.filter((part) => part === 0).length
        expect(Math.abs(dev - ids.length / 2)).toBeLessThanOrEqual(0.5)
      }),
    )
  })
})

test('health', () => {
  expect(ceilingShare([1, 1, 0.5, Number.NaN])).toBeCloseTo(2 / 3)
  expect(
    unsolvedQueries([Float64Array.from([0, 0, 1, Number.NaN]), Float64Array.from([0, 0.1, 0, Number.NaN])]),
  ).toEqual([0])
  expect(decidedByTies([0, 0.5, 1, 1], [1, 0.5, 1, 1])).toBe(0.25)
  expect(smallCategories([...new Array(5).fill('few'), ...new Array(6).fill('enough'), null], 0.05)).toEqual([
    { name: 'few', queries: 5 },
  ])
})
