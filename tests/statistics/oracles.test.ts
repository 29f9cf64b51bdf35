import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { smallCategories } from '../../src/experiment/finish/health.ts'
import { createRandom } from '../../src/random.ts'
import { significanceLetters } from '../../src/report/letters.ts'
import { normalTail, studentQuantile, studentTail } from '../../src/statistics/distributions.ts'
import { tTest } from '../../src/statistics/intervals.ts'
import { effectSize, momentsOf } from '../../src/statistics/moments.ts'
import { makeFolds, makeSplit, tune, tunedValues } from '../../src/statistics/tuned.ts'
import { detectable } from './detectable.ts'

/** Each statistic again, written for the eye and without shared code, and figures of others: R's own examples. */

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
const mean = (values: ArrayLike<number>) => sum(Array.from(values)) / values.length
const sd = (values: ArrayLike<number>) =>
  Math.sqrt(sum(Array.from(values, (value) => (value - mean(values)) ** 2)) / (values.length - 1))

/** Numbers with a long tail above, so that nothing is the same from both ends. */
function skewed(n: number, seed: number): Float64Array {
  const { uniform } = createRandom(seed)
  return Float64Array.from({ length: n }, () => -Math.log(1 - uniform()) - 0.4)
}

/** R's `sleep`: hours gained by ten patients with two drugs; `t.test` and `wilcox.test` of the pairs. */
const SLEEP = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]
describe('tests of paired differences, as R has them', () => {
  test("Student's t and its interval", () => {
    const { t, p, low, high } = tTest(SLEEP)
    expect(t).toBeCloseTo(4.0621, 4)
    expect(p).toBeCloseTo(0.002833, 6)
    expect([low, high]).toEqual([expect.closeTo(0.7001142, 6), expect.closeTo(2.4598858, 6)])
    const turned = tTest(SLEEP.map((value) => -value))
    expect([turned.t, turned.p, turned.low, turned.high]).toEqual([-t, p, -high, -low])
    // Two values, one degree of freedom: Cauchy's distribution.
    expect(tTest([1, 3])).toMatchObject({ t: 2, p: expect.closeTo(1 - (2 * Math.atan(2)) / Math.PI, 12) })
    expect(tTest(SLEEP, { level: 0.01 }).high).toBeGreaterThan(high)
    expect(tTest([1, 1, 1])).toEqual({ t: Number.NaN, p: Number.NaN, adjusted: Number.NaN, low: 1, high: 1 })
    const corrected = tTest(SLEEP, { comparisons: 5 })
    expect([corrected.adjusted, corrected.high]).toEqual([5 * p, tTest(SLEEP, { level: 0.01 }).high])
  })

  test('quantiles of the tables', () => {
    expect(studentQuantile(0.025, 9)).toBeCloseTo(2.262157, 6)
    expect(studentQuantile(0.05, 30)).toBeCloseTo(1.697261, 6)
    expect(studentQuantile(0.975, 4)).toBeCloseTo(-2.776445, 6)
    expect(studentTail(-2.262157, 9)).toBeCloseTo(0.975, 6)
    expect(studentTail(Number.POSITIVE_INFINITY, 3)).toBe(0)
    for (const [z, tail] of [
      [0, 0.5],
      [1.959964, 0.025],
      [-1.644854, 0.95],
      [3.290527, 0.0005],
    ])
      expect(normalTail(z)).toBeCloseTo(tail, 7)
  })
})

describe('size and power', () => {
  test('effect and detectable difference by their formulas', () => {
    const values = skewed(30, 5)
    const error = sd(values) / Math.sqrt(30)
    expect(effectSize([values])).toBeCloseTo(mean(values) / sd(values), 12)
    expect(effectSize([[2, 2]])).toBe(0)
    expect(momentsOf(values)).toEqual({
      n: 30,
      mean: expect.closeTo(mean(values), 12),
      sd: expect.closeTo(sd(values), 12),
    })
    const t = (tail: number) => studentQuantile(tail, 29)
    expect(detectable([values], t(0.025))).toBeCloseTo((t(0.025) + t(0.2)) * error, 10)
    expect(detectable([values], t(0.05), { power: 0.9 })).toBeCloseTo((t(0.05) + t(0.1)) * error, 10)
    expect(detectable([[1]], 2)).toBeNull()
  })

  test('of strata: errors added up, Satterthwaite’s degrees of freedom', () => {
    const strata = [skewed(12, 1), skewed(45, 2)]
    const [a, b] = strata.map((stratum) => sd(stratum) ** 2 / stratum.length)
    const df = (a + b) ** 2 / (a ** 2 / 11 + b ** 2 / 44)
    const error = Math.sqrt(a + b) / 2
    expect(detectable(strata, studentQuantile(0.025, df))).toBeCloseTo(
      (studentQuantile(0.025, df) + studentQuantile(0.2, df)) * error,
      10,
    )
  })

  test('a category is too small where winning every query would not be enough', () => {
    const sized = (...sizes: number[]) => sizes.flatMap((size, at) => new Array(size).fill(`${'cab'[at]}`))
    expect(smallCategories(sized(3, 5, 6), 2 ** -4)).toEqual([{ name: 'c', queries: 3 }])
    expect(smallCategories(sized(3, 5, 6), 2 ** -5)).toEqual([
      { name: 'a', queries: 5 },
      { name: 'c', queries: 3 },
    ])
  })
})

describe('letters', () => {
  test('letters go to the best rows first, and beaten ones are named in their order', () => {
    const order = ['d', 'c', 'b', 'a']
    const outcomes = [
      { id: 'd', baseline: 'a', verdict: 'better' as const },
      { id: 'd', baseline: 'c', verdict: 'better' as const },
      { id: 'b', baseline: 'a', verdict: 'equivalent' as const },
    ]
    expect([...significanceLetters(order, outcomes)]).toEqual([
      ['d', { letter: '', beats: 'ab' }],
      ['c', { letter: 'a', beats: '' }],
      ['b', { letter: '', beats: '' }],
      ['a', { letter: 'b', beats: '' }],
    ])
  })
})

describe('tuning', () => {
  test('every fold is scored by the trial that is best on the others, whatever is better', () => {
    const cell = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 4 }) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    )
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 10, maxLength: 10 }), { minLength: 4, maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 10, maxLength: 10 }),
        fc.constantFrom('higher' as const, 'lower' as const),
        fc.constantFrom('folds' as const, 'split' as const),
        (matrix, folds, better, kind) => {
          // Which queries count is the same for all rows.
          const values = matrix.map((row) =>
            row.map((value, query) => (Number.isNaN(matrix[0][query]) ? Number.NaN : value || 0)),
          )
          const parts = kind === 'split' ? folds.map((fold) => Math.min(fold, 1)) : folds
          const trials = ['t3', 't1', 't2', 't0']
          const strategies = ['s', 'r', 's', 's']
          const over = (trial: number, counts: (part: number) => boolean) => {
            const counted = values[trial].filter(
              (value, query) => counts(parts[query]) && !Number.isNaN(value),
            )
            return counted.length > 0 ? mean(counted) : 0
          }
          const best = (trialsOfPart: number[], counts: (part: number) => boolean) =>
            trialsOfPart.reduce((top, trial) => {
              const more = over(trial, counts) - over(top, counts)
              return (better === 'higher' ? more : -more) > 1e-12 ? trial : top
            })
          const tuned = tune({
            trials,
            strategies,
            matrix: values.map((row) => Float64Array.from(row)),
            parts: Uint8Array.from(parts),
            kind,
            better,
          })
          expect(tuned.map(({ strategy }) => strategy)).toEqual(['r', 's'])
          tuned.forEach((row, place) => {
            const members = place === 0 ? [1] : [3, 2, 0]
            const scored = kind === 'split' ? [1] : [...new Set(parts)].sort()
            const chosen = scored.map((part) => best(members, (other) => other !== part))
            expect(row.chosen).toEqual(chosen)
            const tuning = (part: number) => kind === 'folds' || part === 0
            expect(row.best).toBe(best(members, tuning))
            const picked = parts.map((part) => chosen[scored.indexOf(part)] ?? -1)
            expect([...row.picked]).toEqual(picked)
            const honest = picked.map((trial, query) => (trial < 0 ? Number.NaN : values[trial][query]))
            expect([
              ...tunedValues(
                row,
                values.map((one) => Float64Array.from(one)),
              ),
            ]).toEqual(honest)
            const counted = honest.filter((value) => !Number.isNaN(value))
            const flattery = over(row.best, tuning) - (counted.length > 0 ? mean(counted) : 0)
            expect(row.optimism).toBeCloseTo(better === 'higher' ? flattery : -flattery, 12)
          })
        },
      ),
    )
  })

  test('a split takes `dev` of each category, not the rest', () => {
    const ids = Array.from({ length: 60 }, (_, query) => `q${query}`)
    const categories = ids.map((_, query) => (query < 20 ? 'b' : query < 50 ? 'a' : null))
    const parts = makeSplit({ ids, categories, seed: 1, dev: 0.3 })
    const dev = (name: string | null) =>
      ids.filter((_, query) => categories[query] === name && parts[query] === 0).length
    expect([dev('b'), dev('a'), dev(null)]).toEqual([6, 9, 3])
    expect(makeSplit({ ids, categories, seed: 2, dev: 0.3 })).not.toEqual(parts)
    const folds = makeFolds({ ids, categories, seed: 1, folds: 3 })
    expect(new Set(folds)).toEqual(new Set([0, 1, 2]))
  })
})
