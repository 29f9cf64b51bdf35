import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bootstrapIntervals, drawResamples } from '../../src/statistics/bootstrap.ts'
import { compareTrials } from '../../src/statistics/compare.ts'
import { adjust, CORRECTIONS } from '../../src/statistics/correction.ts'
import {
  coinTail,
  incompleteBeta,
  normalTail,
  studentQuantile,
  studentTail,
} from '../../src/statistics/distributions.ts'
import { effectSize } from '../../src/statistics/effect.ts'
import { detectableDifference } from '../../src/statistics/power.ts'
import { createRandom, shuffle } from '../../src/statistics/random.ts'
import { select } from '../../src/statistics/select.ts'
import { quantile } from '../../src/statistics/summarize.ts'
import { tTest } from '../../src/statistics/t-test.ts'
import { wilcoxon } from '../../src/statistics/wilcoxon.ts'
import { flipTest } from './paired.ts'

/** n values around `mean`, the sum of 12 uniforms: near enough to normal. */
function sample(n: number, mean: number, seed: number): Float64Array {
  const { uniform } = createRandom(seed)
  return Float64Array.from(
    { length: n },
    () => mean - 6 + Array.from({ length: 12 }, uniform).reduce((a, b) => a + b, 0),
  )
}

describe('random numbers', () => {
  test('are the same for a seed, everywhere', () => {
    const { bits } = createRandom(7)
    expect([bits(), bits(), bits()]).toEqual(FIRST_OF_SEED_7)
    expect(createRandom(8).bits()).not.toBe(FIRST_OF_SEED_7[0])
  })
  test('below(n) takes each number as often', () => {
    const { below } = createRandom(1)
    const counts = new Array(7).fill(0)
    for (let draw = 0; draw < 70_000; draw++) counts[below(7)]++
    // Chi-squared with 6 degrees of freedom: 22.5 is its 99.9 % quantile.
    expect(counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)).toBeLessThan(22.5)
  })
  test('shuffle keeps what it shuffles', () => {
    expect(shuffle([1, 2, 3, 4, 5], createRandom(3)).sort()).toEqual([1, 2, 3, 4, 5])
  })
})

describe('distributions, against closed forms', () => {
  test('one degree of freedom is Cauchy, two have a formula', () => {
    for (const t of [0, 0.1, 1, 3.7, 100]) {
      expect(studentTail(t, 1)).toBeCloseTo(0.5 - Math.atan(t) / Math.PI, 14)
      expect(studentTail(t, 2)).toBeCloseTo(0.5 - t / (2 * Math.sqrt(2 + t * t)), 14)
    }
  })
  test('the quantile inverts the tail', () => {
    for (const df of [1, 5, 49, 1000])
      for (const tail of [0.4, 0.025, 1e-6])
        expect(studentTail(studentQuantile(tail, df), df) / tail).toBeCloseTo(1, 10)
  })
  test('with many degrees of freedom t is normal', () => {
    for (const z of [0.5, 2, 2.999, 3.001, 6]) expect(studentTail(z, 1e7) / normalTail(z)).toBeCloseTo(1, 4)
  })
  test('coins are counted', () => {
    const choose = [1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1]
    for (let least = 0; least <= 10; least++)
      expect(coinTail(least, 10)).toBeCloseTo(choose.slice(least).reduce((a, b) => a + b, 0) / 1024, 13)
    expect(incompleteBeta(0.3, 2, 1)).toBeCloseTo(0.09, 14)
  })
})

describe('randomization', () => {
  const signs = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 11 })
  test('is exact where few differ: equal to an enumeration in words', () => {
    fc.assert(
      fc.property(signs, (list) => {
        const flipped = list.reduce<number[]>(
          (sums, value) => sums.flatMap((sum) => [sum + value, sum - value]),
          [0],
        )
        const observed = Math.abs(list.reduce((a, b) => a + b, 0))
        const p = flipped.filter((sum) => Math.abs(sum) >= observed).length / flipped.length
        expect(flipTest([list], 2048, 1)).toBeCloseTo(p, 12)
      }),
    )
  })
  test('by draws it is near the exact value, and is (count + 1) / (draws + 1)', () => {
    const own = sample(13, 0.4, 5)
    const sums = Array.from(own).reduce<number[]>(
      (all, value) => all.flatMap((sum) => [sum + value, sum - value]),
      [0],
    )
    const observed = Math.abs(own.reduce((a, b) => a + b, 0))
    const exact = sums.filter((sum) => Math.abs(sum) >= observed - 1e-9).length / sums.length
    const p = flipTest([own], 4000, 2)
    expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 4000))
    expect(p * 4001).toBeCloseTo(Math.round(p * 4001), 6)
  })
  test('ties of sums count, so that equal magnitudes do not look significant', () => {
    expect(flipTest([new Float64Array(20)], 100, 1)).toBe(1)
    const balanced = Float64Array.from({ length: 40 }, (_, place) => (place % 2 === 0 ? 0.1 : -0.1))
    expect(flipTest([balanced], 1000, 1)).toBe(1)
  })
})

describe('bootstrap', () => {
  test('covers the mean about as often as it says', () => {
    let covered = 0
    const rows = Array.from({ length: 400 }, (_, trial) => [sample(60, 1, trial + 1)])
    for (const { low, high } of bootstrapIntervals(rows, { draws: 500, seed: 3, level: 0.1 }))
      if (low <= 1 && 1 <= high) covered++
    expect(covered / 400).toBeGreaterThan(0.84)
    expect(covered / 400).toBeLessThan(0.95)
  })
  test('of equal values it is that value, of none it is 0', () => {
    const how = { draws: 100, seed: 1, level: 0.05 }
    expect(bootstrapIntervals([[[2, 2, 2]]], how)).toEqual([{ low: 2, high: 2 }])
    expect(bootstrapIntervals([[[]]], how)).toEqual([{ low: 0, high: 0 }])
  })
  test('does not depend on which rows stand beside', () => {
    const rows = Array.from({ length: 11 }, (_, seed) => [sample(40, seed, seed + 1)])
    const how = { draws: 300, seed: 5, level: 0.05 }
    expect(bootstrapIntervals(rows, how)).toEqual(rows.flatMap((row) => bootstrapIntervals([row], how)))
  })
  test('each draw picks n, as one generator does', () => {
    for (const [n, seed] of [
      [17, 9],
      [1, 2],
      [1000, 2 ** 40 + 3],
    ]) {
      const { below } = createRandom(seed)
      const counts = new Uint8Array(50 * n)
      for (let pick = 0; pick < counts.length; pick++) counts[pick - (pick % n) + below(n)]++
      expect(drawResamples(n, 50, seed).counts).toEqual(counts)
    }
  })
})

test('quantiles are those of the sorted values, whatever their order', () => {
  const values = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, q) => {
      const ascending = Float64Array.from(list).sort()
      const at = q * (list.length - 1)
      const below = ascending[Math.floor(at)]
      const above = ascending[Math.min(Math.floor(at) + 1, list.length - 1)]
      expect(quantile(Float64Array.from(list), q)).toBe(below + (at - Math.floor(at)) * (above - below))
      const place = Math.floor(at)
      expect(select(Float64Array.from(list), place)).toBe(ascending[place])
    }),
  )
})

test('corrections: never below p, in the order of p, Holm never above Bonferroni', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (ps) => {
      for (const correction of CORRECTIONS) {
        if (correction === 'max-t') continue
        const adjusted = adjust(ps, correction)
        adjusted.forEach((value, place) => {
          expect(value).toBeGreaterThanOrEqual(ps[place] - 1e-15)
          expect(value).toBeLessThanOrEqual(1)
          ps.forEach((other, at) => {
            if (other < ps[place]) expect(adjusted[at]).toBeLessThanOrEqual(value)
          })
        })
      }
      const bonferroni = adjust(ps, 'bonferroni')
      adjust(ps, 'holm').forEach((value, place) => {
        expect(value).toBeLessThanOrEqual(bonferroni[place])
      })
    }),
  )
})

test('the detectable difference is found 80 % of the time', () => {
  const n = 40
  const difference =
    Number(detectableDifference([sample(4000, 0, 1)], studentQuantile(0.025, 39))) * Math.sqrt(4000 / n)
  let found = 0
  for (let trial = 0; trial < 1000; trial++) if (tTest(sample(n, difference, 100 + trial)).p <= 0.05) found++
  expect(found / 1000).toBeGreaterThan(0.74)
  expect(found / 1000).toBeLessThan(0.86)
})

test('differences that do not vary detect nothing, whatever rounding makes of them', () => {
  for (const equal of [[0, 0, 0], Array(37).fill(0.1), [0.3 - 0.2, 0.2 - 0.1, 0.1], [1]]) {
    expect(detectableDifference([equal], 2)).toBeNull()
    expect(Math.abs(effectSize([Array(37).fill(0.1)]))).toBe(0)
  }
  expect(detectableDifference([[0, 0, 0.01]], 2)).toBeGreaterThan(0)
})

test('fewer than 15 queries have no verdict, however small p is', () => {
  const found = (n: number) => {
    const own = Float64Array.from({ length: n }, (_, place) => 1 + place / 100)
    const matrix = [new Float64Array(n), own]
    const family = [{ name: 'b', baseline: 'a' }]
    const how = { level: 0.05, correction: 'none', draws: 1000, seed: 1, better: 'higher' } as const
    const [one] = compareTrials({ names: ['a', 'b'], matrix, family, ...how })
    const [two] = compareTrials({ names: ['a', 'b'], matrix, strata: [6, n - 6], family, ...how })
    expect(two.verdict).toBe(one.verdict)
    return [one.p <= 0.05, one.verdict]
  }
  expect(found(14)).toEqual([true, 'cannot tell'])
  expect(found(15)).toEqual([true, 'better'])
})

test('equivalence is claimed where the whole interval lies within the margin', () => {
  const rows = [sample(400, 0, 1), sample(400, 0.3, 2), new Float64Array(400)]
  const [near, far] = compareTrials({
    names: ['near', 'far', 'zeros'],
    matrix: rows,
    family: ['near', 'far'].map((name) => ({ name, baseline: 'zeros' })),
    ...{ level: 0.05, correction: 'max-t', draws: 1000, seed: 1, better: 'higher', margin: 0.35 },
  })
  expect(near.verdict).toBe('equivalent')
  expect(Math.max(-near.low, near.high)).toBeLessThan(0.35)
  expect(far.verdict).toBe('better')
})

test('wilcoxon with ties and zeros is normal beyond 13 and exact to there', () => {
  expect(wilcoxon([0, 1, 1, 1]).p).toBe(0.25)
  expect(wilcoxon([1, 2, 3, 4, 5]).p).toBe(2 / 32)
  const many = [...new Array(10).fill(1), ...new Array(4).fill(-1)]
  const z = (10 * 7.5 - 52.5) / Math.sqrt((14 * 15 * 29 - (14 ** 3 - 14) / 2) / 24)
  expect(wilcoxon(many).p).toBeCloseTo(2 * normalTail(z), 12)
})

describe('comparing trials', () => {
  const names = ['a', 'b', 'c', 'd']
  const matrix = names.map((_, place) => sample(50, place * 0.4, place + 1))
  const input = {
    names,
    matrix,
    family: names.slice(1).map((name) => ({ name, baseline: 'a' })),
    level: 0.05,
    correction: 'holm' as const,
    draws: 2000,
    seed: 11,
    better: 'higher' as const,
  }
  const own = compareTrials(input)

  test('the order of trials changes nothing', () => {
    const order = [2, 0, 3, 1]
    const again = compareTrials({
      ...input,
      names: order.map((place) => names[place]),
      matrix: order.map((place) => matrix[place]),
      family: [...input.family].reverse(),
    })
    expect([...again].reverse()).toEqual(own)
  })
  test('another trial beside changes nothing but what is of the family', () => {
    const [alone] = compareTrials({
      ...input,
      names: ['a', 'd'],
      matrix: [matrix[0], matrix[3]],
      family: [{ name: 'd', baseline: 'a' }],
    })
    const family = { adjusted: 0, low: 0, high: 0, detectable: 0 }
    expect({ ...alone, ...family }).toEqual({ ...own[2], ...family })
    expect(alone.low).toBeGreaterThan(own[2].low)
    expect(alone.high).toBeLessThan(own[2].high)
  })
  test('verdicts', () => {
    expect(own[2].verdict).toBe('better')
    const turned = compareTrials({ ...input, better: 'lower' })
    expect(turned[2]).toMatchObject({ verdict: 'worse', wins: own[2].losses, difference: own[2].difference })
    const same = compareTrials({
      ...input,
      matrix: [matrix[0], matrix[0], matrix[0], matrix[0]],
      margin: 0.1,
    })
    expect(same[0]).toMatchObject({ verdict: 'equivalent', p: 1, ties: 50, difference: 0, effect: 0 })
  })
  test('a query that does not count in one row counts in none', () => {
    const holed = matrix.map((row) => row.slice())
    holed[1][0] = Number.NaN
    expect(compareTrials({ ...input, matrix: holed }).map(({ n }) => n)).toEqual([49, 49, 49])
    const short = compareTrials({ ...input, matrix: matrix.map((row) => row.slice(1)) })
    expect(compareTrials({ ...input, matrix: holed })).toEqual(short)
  })
})

const FIRST_OF_SEED_7 = [1004282400, 2200021487, 1928073449]
