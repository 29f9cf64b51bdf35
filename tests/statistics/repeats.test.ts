import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repeatedRates } from '../../simulations/repeated-grids.ts'
import { compareTrials } from '../../src/statistics/compare.ts'
import { studentQuantile } from '../../src/statistics/distributions.ts'
import { meanInterval } from '../../src/statistics/mean-interval.ts'
import { ANY } from '../../src/statistics/range.ts'
import { errorParts, halfWidth, jointError, tailAt } from '../../src/statistics/repeats.ts'
import { errorOf } from '../../src/statistics/strata.ts'

const values = fc.integer({ min: 2, max: 12 }).chain((n) =>
  fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: n, maxLength: n }), {
    minLength: 3,
    maxLength: 6,
  }),
)
const meanOf = (own: readonly number[]) => own.reduce((sum, value) => sum + value, 0) / own.length

describe('the parts of the error', () => {
  test('are what the sums of squares of a two-way table give', () => {
    fc.assert(
      fc.property(values, (table) => {
        const [R, n] = [table.length, table[0].length]
        const queries = table[0].map((_, query) => meanOf(table.map((row) => row[query])))
        const seeds = table.map(meanOf)
        const whole = meanOf(seeds)
        const msQueries = (R * queries.reduce((sum, mean) => sum + (mean - whole) ** 2, 0)) / (n - 1)
        const msSeeds = (n * seeds.reduce((sum, mean) => sum + (mean - whole) ** 2, 0)) / (R - 1)
        // What is left of the whole sum of squares.
        const total = table.flat().reduce((sum, value) => sum + (value - whole) ** 2, 0)
        const msRest = (total - msQueries * (n - 1) - msSeeds * (R - 1)) / ((n - 1) * (R - 1))
        const parts = errorParts(
          [queries],
          table.map((row) => [row]),
        )
        expect(parts.queries).toBeCloseTo(Math.max(0, (msQueries - msRest) / (n * R)), 10)
        expect(parts.repeats).toBeCloseTo(Math.max(0, (msSeeds - msRest) / (n * R)), 10)
        expect(parts.rest).toBeCloseTo(msRest / (n * R), 10)
      }),
    )
  })

  test('over datasets are those of the macro mean', () => {
    const one = [
      [0, 1, 0.5],
      [0.2, 0.6, 0.4],
      [0.1, 0.9, 0.9],
    ]
    const parts = (strata: number) => {
      const queries = one[0].map((_, query) => meanOf(one.map((row) => row[query])))
      return errorParts(
        Array.from({ length: strata }, () => queries),
        one.map((row) => Array.from({ length: strata }, () => row)),
      )
    }
    // The same seeds on both: their part stays, that of queries is halved.
    expect(parts(2).rest).toBeCloseTo(parts(1).rest / 2, 12)
    expect(parts(2).queries).toBeCloseTo(parts(1).queries / 2, 12)
    expect(parts(2).repeats + parts(2).rest).toBeCloseTo(parts(1).repeats + parts(1).rest, 12)
  })
})

describe('the interval', () => {
  test('is Student’s where seeds decide nothing', () => {
    const own = Float64Array.of(0.1, 0.4, 0.9, 0.3)
    const repeats = [[own], [own], [own]]
    expect(meanInterval([own], 0.025, ANY, repeats)).toEqual(meanInterval([own], 0.025, ANY))
  })

  test('is Student’s of the seeds where queries do not vary', () => {
    const seeds = [0.2, 0.3, 0.7]
    const repeats = seeds.map((seed) => [new Float64Array(5).fill(seed)])
    const mean = meanOf(seeds)
    const sd = Math.sqrt(seeds.reduce((sum, seed) => sum + (seed - mean) ** 2, 0) / 2)
    const { high } = meanInterval([new Float64Array(5).fill(mean)], 0.025, ANY, repeats)
    expect(high).toBeCloseTo(mean + (studentQuantile(0.025, 2) * sd) / Math.sqrt(3), 10)
  })

  test('ends where its tail says', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0.001, max: 0.4, noNaN: true }), (table, tail) => {
        const queries = table[0].map((_, query) => meanOf(table.map((row) => row[query])))
        const error = jointError(
          errorOf([queries]),
          table.map((row) => [row]),
        )
        fc.pre(error.seeds !== null && error.queries.spread > 1e-6)
        expect(tailAt(error, halfWidth(error, tail))).toBeCloseTo(tail, 8)
      }),
    )
  })
})

test('the detectable difference has the tail that the interval leaves out', () => {
  const draw = (seed: number) => Float64Array.from({ length: 30 }, (_, query) => ((query * seed) % 7) / 7)
  const b = [draw(5), draw(5).map((value) => value + 0.3), draw(5).map((value) => value - 0.2)]
  const [row] = compareTrials({
    names: ['a', 'b', 'c'],
    matrix: [draw(3), draw(5).map((value) => value + 0.1 / 3), draw(11)],
    family: [
      { name: 'b', baseline: 'a' },
      { name: 'c', baseline: 'a' },
    ],
    repeats: new Map([['b', b]]),
    ...({ level: 0.05, correction: 'max-t', draws: 500, seed: 1, better: 'higher' } as const),
  })
  // To 0.8 power: more than half the interval, by what leaves out a fifth.
  const half = (row.high - row.low) / 2
  expect(row.detectable).toBeGreaterThan(half)
  expect(row.detectable).toBeLessThan(1.5 * half)
})

test('rows that were not repeated are compared as ever', () => {
  const draw = (seed: number) => Float64Array.from({ length: 30 }, (_, query) => ((query * seed) % 7) / 7)
  const input = {
    ...{ names: ['a', 'b', 'c'], matrix: [draw(3), draw(5), draw(11)] },
    family: [
      { name: 'b', baseline: 'a' },
      { name: 'c', baseline: 'a' },
    ],
    ...({ level: 0.05, correction: 'max-t', draws: 500, seed: 1, better: 'higher' } as const),
  }
  expect(compareTrials({ ...input, repeats: new Map() })).toEqual(compareTrials(input))
  const equal = new Map([['b', [input.matrix[1], input.matrix[1], input.matrix[1]]]])
  const [b, c] = compareTrials({ ...input, repeats: equal })
  const [plainB, plainC] = compareTrials(input)
  expect(c).toEqual(plainC)
  expect(b).toEqual({ ...plainB, adjusted: Math.max(plainB.adjusted, Math.min(1, 2 * plainB.p)) })
})

describe('without a true difference', () => {
  test.each([
    ['seeds decide nothing', { queries: 1, seeds: 0, rest: 0.5 }],
    ['seeds decide most', { queries: 0.3, seeds: 0.3, rest: 0.3 }],
  ])('findings stay rare, and intervals hold: %s', (_, spread) => {
    const rates = repeatedRates(90, { n: 60, repeats: 5, rows: 3, spread })
    expect(rates.found).toBeLessThanOrEqual(0.09)
    expect(rates.mean).toBeGreaterThanOrEqual(0.91)
    expect(rates.all).toBeGreaterThanOrEqual(0.91)
  })

  test('a test that forgets the seeds finds what is not there', () => {
    const spread = { queries: 0.3, seeds: 0.3, rest: 0.3 }
    expect(repeatedRates(60, { n: 60, repeats: 5, rows: 1, spread, seeds: false }).found).toBeGreaterThan(0.2)
  })
})
