import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGenerator } from '../../simulations/grids.ts'
import { SHARE } from '../../src/metrics/range.ts'
import { createRandom } from '../../src/random.ts'
import { type CompareInput, compareTrials } from '../../src/statistics/compare.ts'
import { tTest } from '../../src/statistics/intervals.ts'
import { exactFlips } from '../../src/statistics/sample.ts'

const HOW = { level: 0.05, correction: 'max-t', draws: 1000, seed: 1, better: 'higher' } as const

/** Compares every other row with the first. */
function compare(matrix: readonly ArrayLike<number>[], options: Partial<CompareInput> = {}) {
  const names = matrix.map((_, row) => `r${row}`)
  return compareTrials({
    ...HOW,
    names,
    matrix: matrix.map((row) => Float64Array.from(row)),
    family: names.slice(1).map((name) => ({ name, baseline: 'r0' })),
    ...options,
  })
}

/** A row that differs from zeros on these queries. */
const differing = (n: number, values: readonly number[]) =>
  Array.from({ length: n }, (_, query) => values[query] ?? 0)

function randomRows(seed: number, rows: number, n: number): Float64Array[] {
  const { baseline, row } = createGenerator(seed).grid('recall', n)
  return [baseline, ...Array.from({ length: rows }, row)]
}

describe('p, interval and verdict are one test', () => {
  const correction = fc.constantFrom('max-t' as const, 'none' as const)
  const better = fc.constantFrom('higher' as const, 'lower' as const)
  test('a row is better or worse if and only if its interval excludes 0, and p is at most the level', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.integer({ min: 15, max: 60 }),
        correction,
        better,
        (seed, n, correction, better) => {
          const matrix = randomRows(seed, 4, n).map((row, at) => row.map((value) => value * (1 - at / 8)))
          for (const row of compare(matrix, { correction, better, range: SHARE, draws: 400 })) {
            if (row.low === null || row.high === null) continue
            const decided = row.verdict === 'better' || row.verdict === 'worse'
            expect(decided).toBe(row.low > 0 || row.high < 0)
            expect(decided).toBe((row.adjusted ?? 1) <= 0.05 + 1e-12)
            expect(row.low).toBeLessThanOrEqual(row.difference)
            expect(row.high).toBeGreaterThanOrEqual(row.difference)
            expect(Math.max(-row.low, row.high)).toBeLessThanOrEqual(1)
            expect(row.adjusted).toBeGreaterThanOrEqual(row.p ?? 0)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('if low values are good, everything but the difference is turned', () => {
    const matrix = randomRows(4, 3, 60)
    const higher = compare(matrix.map((row) => row.map((value) => -value)))
    const lower = compare(matrix, { better: 'lower' })
    const turned = higher.map((row) => ({
      ...row,
      difference: -row.difference,
      low: row.high === null ? null : -row.high,
      high: row.low === null ? null : -row.low,
      effect: -row.effect,
      strata: row.strata.map(({ n, difference }) => ({ n, difference: -difference })),
    }))
    expect(lower).toEqual(turned)
  })

  test('a query that does not count in one row counts in none', () => {
    const matrix = randomRows(6, 3, 40)
    const holed = matrix.map((row, at) => (at === 1 ? row.with(0, Number.NaN) : row))
    expect(compare(holed)).toEqual(compare(matrix.map((row) => row.slice(1))))
  })

  test('of several datasets, the difference is that of the macro means', () => {
    const [row] = compare(
      [new Float64Array(60), differing(60, [...new Array(20).fill(0.5), ...new Array(40).fill(-0.1)])].map(
        (values, at) => Float64Array.from(values, (value, query) => value + at * (query % 3) * 0.1),
      ),
      { strata: [20, 40] },
    )
    expect(row.strata.map(({ n }) => n)).toEqual([20, 40])
    expect(row.difference).toBeCloseTo((row.strata[0].difference + row.strata[1].difference) / 2, 12)
  })
})

describe('rows that were chosen', () => {
  test('the best of many equal trials is tested against all of them', () => {
    const matrix = randomRows(8, 30, 60)
    const mean = (row: Float64Array) => row.reduce((sum, value) => sum + value, 0)
    const trials = matrix.slice(1)
    const best = trials.findIndex((row) => mean(row) === Math.max(...trials.map(mean))) + 1
    const names = matrix.map((_, row) => `r${row}`)
    const input = { ...HOW, names, matrix }
    const [plain] = compareTrials({ ...input, family: [{ name: `r${best}`, baseline: 'r0' }] })
    const [chosen] = compareTrials({
      ...input,
      family: [{ name: `r${best}`, baseline: 'r0', names: names.slice(1) }],
    })
    expect(chosen.p).toBeGreaterThan(3 * (plain.p as number))
    expect(chosen.low).toBeLessThan(plain.low as number)
    expect(chosen.high).toBeCloseTo(plain.high as number, 12)
  })
})

describe('few differences', () => {
  const zeros = new Float64Array(100)
  test('under six give no verdict, six to fourteen exact flips, more an interval', () => {
    const gains = (count: number) =>
      differing(
        100,
        new Array(count).fill(0.5).map((gain, at) => gain + at / 100),
      )
    const [five, six, fourteen, fifteen] = compare([zeros, gains(5), gains(6), gains(14), gains(15)])
    expect(five).toMatchObject({ p: null, low: null, verdict: 'cannot tell', wins: 5, ties: 95 })
    expect(five.untested).toBe('differs on 5 of 100 queries')
    expect(six).toMatchObject({ p: 2 / 64, adjusted: 6 / 64, low: null, high: null, verdict: 'cannot tell' })
    expect(fourteen).toMatchObject({ p: 2 / 2 ** 14, adjusted: 6 / 2 ** 14, low: null, verdict: 'better' })
    expect(fifteen.low).toBeGreaterThan(0)
    expect(fifteen.untested).toBeUndefined()
  })

  test('exact flips enumerate', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 9 }),
        fc.nat(511),
        (sizes, signs) => {
          const values = sizes.map((size, at) => (signs & (1 << at) ? -size : size))
          const total = Math.abs(values.reduce((a, b) => a + b))
          let reached = 0
          for (let flip = 0; flip < 2 ** sizes.length; flip++)
            if (
              Math.abs(sizes.reduce((sum, size, at) => sum + (flip & (1 << at) ? -size : size), 0)) >= total
            )
              reached++
          expect(exactFlips(values)).toBe(reached / 2 ** sizes.length)
        },
      ),
    )
  })
})

describe('queries that are too few, or not independent', () => {
  const row = (n: number, seed: number) => {
    const { uniform } = createRandom(seed)
    return Float64Array.from({ length: n }, () => 0.5 + uniform())
  }
  const [zeros, gains] = [new Float64Array(200), row(200, 1)]
  const clustersOf = (...sizes: number[]) =>
    sizes.flatMap((size, cluster) => new Array<number>(size).fill(cluster))
  const of = (n: number, clusters?: number[]) =>
    compare([zeros.slice(0, n), gains.slice(0, n)], { clusters })[0]

  test('ten conversations: Student’s t with nine degrees of freedom around the mean over queries', () => {
    const clusters = clustersOf(...new Array(10).fill(20))
    const result = of(200, clusters)
    const means = Array.from({ length: 10 }, (_, cluster) =>
      gains.slice(20 * cluster, 20 * cluster + 20).reduce((sum, gain) => sum + gain / 20, 0),
    )
    // Clusters of one size: the t-test of their means.
    const { low, high, p } = tTest(means)
    expect(result).toMatchObject({ clusters: 10, verdict: 'better' })
    expect([result.low, result.high, result.p]).toEqual(
      [low, high, p].map((value) => expect.closeTo(value, 9)),
    )
  })

  test('copies of queries in clusters give what the queries give', () => {
    const single = randomRows(11, 2, 40)
    const copies = single.map((values) =>
      Float64Array.from({ length: 120 }, (_, query) => values[Math.floor(query / 3)]),
    )
    const clusters = Array.from({ length: 120 }, (_, query) => Math.floor(query / 3))
    const [expected, actual] = [compare(single), compare(copies, { clusters })]
    actual.forEach((result, at) => {
      expect(result).toMatchObject({
        n: 120,
        clusters: 40,
        adjusted: expected[at].adjusted,
        p: expected[at].p,
      })
      for (const key of ['difference', 'low', 'high', 'detectable'] as const)
        expect(result[key]).toBeCloseTo(expected[at][key] as number, 5)
    })
  })
})

test('without a difference, verdicts are as rare as the level says, also if differences are skewed', () => {
  for (const shape of ['recall', '+.5 on 5 %, else -.026', 'exponential'] as const) {
    let wrong = 0
    for (let seed = 0; seed < 200; seed++) {
      const { baseline, row } = createGenerator(1000 + seed).grid(shape, 60)
      const results = compare([baseline, row(), row(), row()], { draws: 400, seed })
      if (results.some(({ verdict }) => verdict !== 'cannot tell')) wrong++
    }
    expect(wrong / 200).toBeLessThan(0.09)
  }
})
