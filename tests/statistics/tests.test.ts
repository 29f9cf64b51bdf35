import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nullGrid } from '../../simulations/null-grids.ts'
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
import { drawFlips, flippedSums } from '../../src/statistics/flips.ts'
import { meanInterval, selectedTail } from '../../src/statistics/mean-interval.ts'
import { createRandom, shuffle } from '../../src/statistics/random.ts'
import { ANY, SHARE } from '../../src/statistics/range.ts'
import { select } from '../../src/statistics/select.ts'
import { tTest } from '../../src/statistics/t-test.ts'
import { wilcoxon } from '../../src/statistics/wilcoxon.ts'
import { detectable } from './detectable.ts'
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

describe('the interval of a mean', () => {
  test('of one row is Student’s, and shares have a 0 and a 1 beside them', () => {
    const own = sample(60, 1, 3)
    const { low, high } = tTest(own)
    expect(selectedTail([[own]], { level: 0.05, draws: 100, seed: 1 })).toBe(0.025)
    const is = (interval: { low: number | null; high: number | null }) =>
      expect([interval.low, interval.high]).toEqual([expect.closeTo(low, 12), expect.closeTo(high, 12)])
    is(meanInterval([own], 0.025, ANY))
    const perfect = meanInterval([new Float64Array(20).fill(1)], 0.025, SHARE)
    expect(perfect.high).toBe(1)
    expect(perfect.low).toBeCloseTo(
      21 / 22 - (studentQuantile(0.025, 19) * Math.sqrt(1 / 22)) / Math.sqrt(22),
      12,
    )
    expect(meanInterval([[2, 2, 2]], 0.025, ANY)).toEqual({ low: 2, high: 2 })
    for (const few of [[], [1]]) expect(meanInterval([few], 0.025, SHARE)).toEqual({ low: null, high: null })
  })
  test('of several rows leaves out the tail at which the highest of them passes as often as the level says', () => {
    const [n, draws, level] = [20, 1500, 0.05]
    for (const [seed, count] of [
      [1, 2],
      [2, 5],
      [3, 12],
    ]) {
      const rows = Array.from({ length: count }, (_, at) => sample(n, 1, 100 * seed + at))
      const flips = drawFlips(n, draws, seed)
      const all = rows.map((row) => {
        const mean = row.reduce((sum, value) => sum + value, 0) / n
        const own = Float64Array.from(row, (value) => value - mean)
        const sums = new Float64Array(draws)
        flippedSums(own, flips, 0, draws, sums)
        return sums.map((sum) => sum / Math.hypot(...own))
      })
      // t = r sqrt((n - 1) / (n - r^2)) where r is the flipped sum in units of the row's length.
      const tails = Array.from({ length: draws }, (_, draw) => Math.max(...all.map((sums) => sums[draw])))
        .map((r) => studentTail(r * Math.sqrt((n - 1) / (n - r * r)), n - 1))
        .sort((a, b) => a - b)
      const tail = tails.find((one, above) => above / draws + one >= level) as number
      expect(tail).toBeLessThan(level / 2)
      expect(
        selectedTail(
          rows.map((row) => [row]),
          { level, draws, seed },
        ),
      ).toBeCloseTo(tail, 12)
    }
  })
  test('covers few, skewed and nearly binary values about as often as it says', () => {
    const { uniform } = createRandom(4)
    for (const [draw, truth] of [
      [() => (uniform() < 0.9 ? 1 : 0), 0.9],
      [() => uniform() ** 4, 0.2],
      [uniform, 0.5],
    ] as const) {
      let covered = 0
      for (let trial = 0; trial < 600; trial++) {
        const { low, high } = meanInterval([Array.from({ length: 20 }, draw)], 0.025, SHARE)
        if ((low ?? 1) <= truth && truth <= (high ?? 0)) covered++
      }
      expect(covered / 600).toBeGreaterThan(0.92)
    }
  })
  test('holds the true mean of the row on top of many equal ones', () => {
    let covered = 0
    for (let seed = 0; seed < 200; seed++) {
      const { matrix } = nullGrid([60], 'normal', 60, seed)
      const tail = selectedTail(
        matrix.map((row) => [row]),
        { level: 0.05, draws: 500, seed },
      )
      const means = matrix.map((row) => row.reduce((a, b) => a + b, 0))
      const { low, high } = meanInterval([matrix[means.indexOf(Math.max(...means))]], tail, ANY)
      if ((low ?? 1) <= 0.5 && 0.5 <= (high ?? 0)) covered++
    }
    expect(covered / 200).toBeGreaterThan(0.9)
  })
})

test('select puts the value at its place', () => {
  const values = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(values, fc.nat(59), (list, at) => {
      const place = at % list.length
      expect(select(Float64Array.from(list), place)).toBe(Float64Array.from(list).sort()[place])
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
    Number(detectable([sample(4000, 0, 1)], studentQuantile(0.025, 39))) * Math.sqrt(4000 / n)
  let found = 0
  for (let trial = 0; trial < 1000; trial++) if (tTest(sample(n, difference, 100 + trial)).p <= 0.05) found++
  expect(found / 1000).toBeGreaterThan(0.74)
  expect(found / 1000).toBeLessThan(0.86)
})

test('differences that do not vary detect nothing, whatever rounding makes of them', () => {
  for (const equal of [[0, 0, 0], Array(37).fill(0.1), [0.3 - 0.2, 0.2 - 0.1, 0.1], [1]]) {
    expect(detectable([equal], 2)).toBeNull()
    expect(Math.abs(effectSize([Array(37).fill(0.1)]))).toBe(0)
  }
  expect(detectable([[0, 0, 0.01]], 2)).toBeGreaterThan(0)
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

test('equivalence needs both ends of the interval within the margin', () => {
  // A mean of 0.1 beside a spread of 0.5: one end is beyond 0.2, the other is not.
  const noisy = Float64Array.from({ length: 40 }, (_, query) => (query % 2 === 0 ? 0.6 : -0.4))
  const zeros = new Float64Array(40)
  for (const better of ['higher', 'lower'] as const)
    for (const sign of [1, -1]) {
      const own = noisy.map((value) => sign * value)
      const compare = (margin: number) =>
        compareTrials({
          ...{ names: ['own', 'zeros'], matrix: [own, zeros], family: [{ name: 'own', baseline: 'zeros' }] },
          ...{ level: 0.05, correction: 'none', draws: 1000, seed: 1, better, margin },
        })[0]
      const { low, high, verdict } = compare(0.2)
      expect([Math.min(-low, high) < 0.2, Math.max(-low, high) > 0.2]).toEqual([true, true])
      expect(verdict).toBe('cannot tell')
      expect(compare(Math.max(-low, high)).verdict).toBe('cannot tell')
      expect(compare(1.0001 * Math.max(-low, high)).verdict).toBe('equivalent')
    }
})
