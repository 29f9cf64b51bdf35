import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTrials } from '../../src/statistics/compare.ts'
import { studentQuantile } from '../../src/statistics/distributions.ts'
import { effectSize } from '../../src/statistics/effect.ts'
import { meanInterval } from '../../src/statistics/mean-interval.ts'
import { createRandom } from '../../src/statistics/random.ts'
import { ANY } from '../../src/statistics/range.ts'
import { macroMean, weightedByStratum } from '../../src/statistics/strata.ts'
import { momentsOf } from '../../src/statistics/summarize.ts'
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

const names = ['a', 'b', 'c']
const family = [
  { name: 'b', baseline: 'a' },
  { name: 'c', baseline: 'a' },
]
const how = { level: 0.05, correction: 'holm', draws: 2000, seed: 5, better: 'higher' } as const

test('of one stratum everything is what the plain formulas say, to the last bit', () => {
  const sizes = fc.integer({ min: 2, max: 40 })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 1e6 }), (n, seed) => {
      const own = sample(n, 0.2, seed)
      const { mean, sd } = momentsOf(own)
      expect(macroMean([own])).toBe(mean)
      expect(weightedByStratum([own])).toEqual(own)
      expect(effectSize([own])).toBe(mean / sd)
      const reach = studentQuantile(0.025, n - 1) + studentQuantile(1 - 0.8, n - 1)
      expect(detectable([own], studentQuantile(0.025, n - 1))).toBe((reach * sd) / Math.sqrt(n))
    }),
  )
})

describe('the macro mean', () => {
  test('does not weigh by queries', () => {
    expect(macroMean([[1], [0, 0, 0]])).toBe(0.5)
  })

  test('its interval covers it about as often as it says', () => {
    let covered = 0
    const rows = Array.from({ length: 400 }, (_, trial) => [
      sample(50, 1, 2 * trial + 1),
      sample(90, 3, 2 * trial + 2),
    ])
    for (const { low, high } of rows.map((row) => meanInterval(row, 0.05, ANY)))
      if ((low ?? 3) <= 2 && 2 <= (high ?? 1)) covered++
    expect(covered / 400).toBeGreaterThan(0.84)
    expect(covered / 400).toBeLessThan(0.95)
  })
})

describe('the randomization test', () => {
  const stratum = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 5 })
  test('is exact where few differ: equal to an enumeration in words', () => {
    fc.assert(
      fc.property(fc.array(stratum, { minLength: 1, maxLength: 2 }), (strata) => {
        // Whole numbers: every difference times the product of the sizes.
        const whole = strata.flatMap((values, own) =>
          values.map((value) =>
            strata.reduce((product, other, at) => (at === own ? product : product * other.length), value),
          ),
        )
        const sums = whole.reduce<number[]>(
          (all, value) => all.flatMap((sum) => [sum + value, sum - value]),
          [0],
        )
        const observed = Math.abs(whole.reduce((a, b) => a + b, 0))
        const exact = sums.filter((sum) => Math.abs(sum) >= observed).length / sums.length
        expect(flipTest(strata, 1024, 1)).toBeCloseTo(exact, 12)
      }),
    )
  })

  test('by draws it is near the exact value', () => {
    const strata = [sample(6, 0.5, 3), sample(8, 0.3, 4)]
    const weighted = strata.flatMap((values) => [...values].map((value) => value / (2 * values.length)))
    const sums = weighted.reduce<number[]>(
      (all, value) => all.flatMap((sum) => [sum + value, sum - value]),
      [0],
    )
    const observed = Math.abs(weighted.reduce((a, b) => a + b, 0))
    const exact = sums.filter((sum) => Math.abs(sum) >= observed - 1e-12).length / sums.length
    const p = flipTest(strata, 20_000, 2)
    expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 20_000))
  })

  test('without a difference it is below the level about as often as the level says', () => {
    let found = 0
    for (let trial = 0; trial < 400; trial++) {
      const strata = [sample(12, 0, 1000 + trial), sample(60, 0, 5000 + trial)]
      if (flipTest(strata, 400, trial) <= 0.1) found++
    }
    expect(found / 400).toBeGreaterThan(0.06)
    expect(found / 400).toBeLessThan(0.15)
  })
})

test('the detectable difference is that of one mean, and is found 80 % of the time', () => {
  const one = sample(40, 0, 9)
  expect(detectable([one, [1]], 2)).toBeNull()
  expect(
    detectable(
      [
        [1, 1],
        [2, 2],
      ],
      2,
    ),
  ).toBeNull()
  const sizes = [30, 60]
  // Of the true deviation 1 in each, by many queries in the same proportion.
  const large =
    Number(detectable([sample(3000, 0, 1), sample(6000, 0, 2)], studentQuantile(0.025, 90))) * Math.sqrt(100)
  let found = 0
  for (let trial = 0; trial < 400; trial++) {
    const strata = sizes.map((n, stratum) => sample(n, large, 100 + 2 * trial + stratum))
    if (flipTest(strata, 400, trial) <= 0.05) found++
  }
  expect(found / 400).toBeGreaterThan(0.73)
  expect(found / 400).toBeLessThan(0.87)
})

describe('a comparison', () => {
  const rows = [0, 1, 2].map((row) => [sample(20, row / 2, 10 + row), sample(70, -row / 9, 20 + row)])
  const matrix = rows.map((row) => Float64Array.from(row.flatMap((values) => [...values])))
  const input = { names, matrix, strata: [20, 70], family }
  const own = compareTrials({ ...input, ...how })

  test('says the difference of the macro means, and of each stratum', () => {
    for (const [place, { difference, strata, low, high }] of own.entries()) {
      expect(difference).toBeCloseTo(macroMean(rows[place + 1]) - macroMean(rows[0]), 12)
      expect(strata.map(({ n }) => n)).toEqual([20, 70])
      expect((strata[0].difference + strata[1].difference) / 2).toBeCloseTo(difference, 12)
      expect(low).toBeLessThan(difference)
      expect(high).toBeGreaterThan(difference)
    }
  })

  test('is corrected over the family, and turned where low is better', () => {
    const alone = compareTrials({ ...input, ...how, correction: 'none' })
    expect(own.map(({ p }) => p)).toEqual(alone.map(({ adjusted }) => adjusted))
    for (const { adjusted, p } of own) expect(adjusted).toBeGreaterThanOrEqual(p)
    const lower = compareTrials({ ...input, ...how, better: 'lower' })
    expect(lower.map(({ wins, losses }) => [losses, wins])).toEqual(
      own.map(({ wins, losses }) => [wins, losses]),
    )
    const turned = { better: 'worse', worse: 'better' } as Record<string, string>
    expect(lower.map(({ verdict }) => verdict)).toEqual(own.map(({ verdict }) => turned[verdict] ?? verdict))
  })
})
