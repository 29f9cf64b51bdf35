import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ceilingShare,
  decidedByTies,
  smallCategories,
  unsolvedQueries,
} from '../../src/experiment/finish/health-checks.ts'
import { createRandom, createRandomFor } from '../../src/random.ts'
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
  test('another seed gives other folds', () => {
    const queries = {
      ids: Array.from({ length: 40 }, (_, place) => `q${place}`),
      categories: new Array(40).fill(null),
    }
    expect(makeFolds({ ...queries, folds: 5, seed: 1 })).not.toEqual(
      makeFolds({ ...queries, folds: 5, seed: 2 }),
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
  test('a split is chosen on dev and scored on test', () => {
    const [one] = tune({ trials, strategies, matrix, parts, kind: 'split', better: 'higher' })
    expect(one).toMatchObject({ chosen: [0], best: 0, optimism: 1 })
    expect(Array.from(tunedValues(one, matrix))).toEqual([Number.NaN, Number.NaN, 0, 0])
  })
  test('where low is good the lowest is chosen', () => {
    const [one] = tune({ trials, strategies, matrix, parts, kind: 'split', better: 'lower' })
    expect(one.chosen).toEqual([1])
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
  test('the best of many trials without any difference flatters itself', () => {
    const { uniform } = createRandom(4)
    const null_ = Array.from({ length: 48 }, () => Float64Array.from({ length: 100 }, uniform))
    const ids = null_.map((_, place) => `t${place}`)
    const [row] = tune({
      trials: ids,
      strategies: ids.map(() => 's'),
      matrix: null_,
      parts: makeFolds({
        ids: Array.from({ length: 100 }, (_, q) => `q${q}`),
        categories: new Array(100).fill(null),
        folds: 5,
        seed: 1,
      }),
      kind: 'folds',
      better: 'higher',
    })
    expect(row.optimism).toBeGreaterThan(0.02)
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

  test('queries that no row solves: one that counts for no row is none', () => {
    const rows = [
      [0, 0.5, none, none, 0],
      [0, 0, none, 0, 0.1],
    ]
    expect(unsolvedQueries(rows.map((row) => Float64Array.from(row)))).toEqual([0, 3])
    expect(unsolvedQueries([])).toEqual([])
  })

  test('queries that ties decide', () => {
    expect(decidedByTies([0, 1, none, 0.5], [1, 1, none, 0.5])).toBe(1 / 3)
  })

  test('categories of which even one better everywhere is not better: 2^(1 - n) above the level', () => {
    const categories = [
      ...Array(5).fill('five'),
      ...Array(6).fill('six'),
      'one',
      null,
      ...Array(2).fill('Two'),
    ]
    expect(smallCategories(categories, 0.05)).toEqual([
      { name: 'Two', queries: 2 },
      { name: 'five', queries: 5 },
      { name: 'one', queries: 1 },
    ])
    // 2^-4 is not above 1/16.
    expect(smallCategories(Array(5).fill('five'), 1 / 16)).toEqual([])
  })
})

test('a generator for a text is that of the FNV-1a hash of seed, NUL and text', () => {
  for (const [seed, text] of [
    [0, ''],
    [12, 'a query'],
    [7, 'é'],
  ] as const) {
    let hash = 0x811c9dc5n
    for (const unit of `${seed}\0${text}`)
      hash = ((hash ^ BigInt(unit.charCodeAt(0))) * 0x01000193n) & 0xffffffffn
    expect(createRandomFor(seed, text).uniform()).toBe(createRandom(Number(hash)).uniform())
  }
})
