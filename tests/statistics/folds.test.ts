import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ceilingShare,
  decidedByTies,
  smallCategories,
  unsolvedQueries,
} from '../../src/experiment/finish/health-checks.ts'
import { makeFolds, makeSplit } from '../../src/statistics/folds.ts'
import { tune, tunedValues } from '../../src/statistics/tuned.ts'

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
        const own = makeFolds({ ids, categories, seed, folds })
        const turned = makeFolds({
          ids: [...ids].reverse(),
          categories: [...categories].reverse(),
          seed,
          folds,
        })
        expect(Array.from(turned).reverse()).toEqual(Array.from(own))
        for (const category of [undefined, 'bridge', 'comparison', null]) {
          const sizes = Array.from(
            { length: folds },
            (_, fold) =>
              own.filter(
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
        const own = makeSplit({ ids, categories, seed, dev: 0.5 })
        const dev = own.filter((part) => part === 0).length
        expect(Math.abs(dev - ids.length / 2)).toBeLessThanOrEqual(0.5)
      }),
    )
  })
})

describe('tuning', () => {
  const trials = ['a', 'b', 'x']
  const strategies = ['one', 'one', 'two']
  const parts = Uint8Array.from([0, 0, 1, 1])
  const matrix = [
    Float64Array.from([1, 1, 0, 0]),
    Float64Array.from([0, 0, 0.5, 1]),
    Float64Array.from([0.5, 0.5, 0.5, 0.5]),
  ]

  test('each fold is scored by the best on the others', () => {
    const [one, two] = tune({ trials, strategies, matrix, parts, kind: 'folds', better: 'higher' })
    // On fold 1 alone b is best, on fold 0 a is: each is then scored where it fails.
    expect(one).toMatchObject({ strategy: 'one', chosen: [1, 0], best: 0 })
    expect(Array.from(tunedValues(one, matrix))).toEqual([0, 0, 0, 0])
    expect(one.optimism).toBe(0.5)
    expect(two).toMatchObject({ strategy: 'two', optimism: 0 })
  })
  test('equal trials: the id that comes first, in any order of trials', () => {
    const same = [matrix[0], matrix[0]]
    const chosen = (ids: string[]) =>
      tune({ trials: ids, strategies: ['s', 's'], matrix: same, parts, kind: 'split', better: 'higher' }).map(
        (row) => ids[row.chosen[0]],
      )
    expect(chosen(['b', 'a'])).toEqual(['a'])
    expect(chosen(['a', 'b'])).toEqual(['a'])
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

describe('checks of a measure', () => {
  const { NaN: none } = Number

  test('queries at the ceiling, of those that count', () => {
    expect(ceilingShare([1, 0.5, none, 1])).toBe(2 / 3)
    expect([ceilingShare([2, 3], 3), ceilingShare([none]), ceilingShare([])]).toEqual([0.5, 0, 0])
  })

  test('queries that ties decide', () => {
    expect(decidedByTies([0, 1, none, 0.5], [1, 1, none, 0.5])).toBe(1 / 3)
  })
})
