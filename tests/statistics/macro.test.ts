import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bootstrapIntervals, drawResamples } from '../../src/statistics/bootstrap.ts'
import { compareTrials } from '../../src/statistics/compare.ts'
import { compareMacro } from '../../src/statistics/compare-macro.ts'
import {
  drawMacroFlips,
  macroDetectable,
  macroEquivalence,
  macroIntervals,
  macroMean,
  macroTest,
} from '../../src/statistics/macro.ts'
import { detectableDifference } from '../../src/statistics/power.ts'
import { createRandom } from '../../src/statistics/random.ts'
import { quantile } from '../../src/statistics/summarize.ts'

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

describe('of one stratum', () => {
  test('everything is what the plain statistics say', () => {
    const matrix = [sample(41, 0, 1), sample(41, 0.3, 2), sample(41, -0.6, 3)]
    matrix[1][7] = Number.NaN
    const plain = compareTrials({ names, matrix, family, ...how, margin: 0.5 })
    const macro = compareMacro({ names, rows: matrix.map((row) => [row]), family, ...how, margin: 0.5 })
    for (const [place, { n, difference, detectable, equivalence, effect: _, ...shared }] of plain.entries()) {
      expect(macro[place]).toMatchObject({ ...shared, difference, strata: [{ n, difference }] })
      expect(macro[place].detectable).toBeCloseTo(detectable ?? Number.NaN, 12)
      expect(macro[place].equivalence).toBeCloseTo(equivalence ?? Number.NaN, 12)
    }
    expect(macroIntervals([[matrix[0]]], how)).toEqual(
      bootstrapIntervals([matrix[0]], drawResamples(41, how.draws, how.seed), how.level),
    )
  })
})

describe('the macro mean', () => {
  test('does not weigh by queries', () => {
    expect(macroMean([[1], [0, 0, 0]])).toBe(0.5)
  })

  test('its interval is that of means of means, drawn stratum by stratum', () => {
    const [first, second] = [sample(9, 0, 1), sample(25, 2, 2)]
    const drawn = [drawResamples(9, 300, 5), drawResamples(25, 300, 5 + 2 ** 32)]
    const means = Float64Array.from({ length: 300 }, (_, draw) => {
      const own = [first, second].map((values, stratum) => {
        const { n, counts } = drawn[stratum]
        return values.reduce((sum, value, query) => sum + counts[draw * n + query] * value, 0) / n
      })
      return (own[0] + own[1]) / 2
    }).sort()
    const [{ low, high }] = macroIntervals([[first, second]], { draws: 300, seed: 5, level: 0.1 })
    expect(low).toBeCloseTo(quantile(means, 0.05), 12)
    expect(high).toBeCloseTo(quantile(means, 0.95), 12)
  })

  test('its interval covers it about as often as it says', () => {
    let covered = 0
    const rows = Array.from({ length: 400 }, (_, trial) => [
      sample(50, 1, 2 * trial + 1),
      sample(90, 3, 2 * trial + 2),
    ])
    for (const { low, high } of macroIntervals(rows, { draws: 400, seed: 3, level: 0.1 }))
      if (low <= 2 && 2 <= high) covered++
    expect(covered / 400).toBeGreaterThan(0.84)
    expect(covered / 400).toBeLessThan(0.95)
  })

  test('strata of one size are not drawn alike', () => {
    // Drawn alike, what one gains the other would lose, and the interval would have no width.
    const values = sample(30, 0, 1)
    const [{ low, high }] = macroIntervals([[values, values.map((value) => -value)]], how)
    expect(high - low).toBeGreaterThan(0.2)
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
        const flips = drawMacroFlips(
          strata.map(({ length }) => length),
          100,
          1,
        )
        expect(macroTest(strata, flips)).toBeCloseTo(exact, 12)
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
    const p = macroTest(strata, drawMacroFlips([6, 8], 20_000, 2))
    expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 20_000))
  })

  test('without a difference it is below the level about as often as the level says', () => {
    let found = 0
    for (let trial = 0; trial < 400; trial++) {
      const strata = [sample(12, 0, 1000 + trial), sample(60, 0, 5000 + trial)]
      if (macroTest(strata, drawMacroFlips([12, 60], 400, trial)) <= 0.1) found++
    }
    expect(found / 400).toBeGreaterThan(0.06)
    expect(found / 400).toBeLessThan(0.15)
  })
})

test('the detectable difference is that of one mean, and is found 80 % of the time', () => {
  const one = sample(40, 0, 9)
  expect(macroDetectable([one], 0.05)).toBeCloseTo(Number(detectableDifference(one, 0.05)), 12)
  expect(macroDetectable([one, [1]], 0.05)).toBeNull()
  expect(
    macroDetectable(
      [
        [1, 1],
        [2, 2],
      ],
      0.05,
    ),
  ).toBeNull()
  const sizes = [30, 60]
  // Of the true deviation 1 in each, by many queries in the same proportion.
  const large = Number(macroDetectable([sample(3000, 0, 1), sample(6000, 0, 2)], 0.05)) * Math.sqrt(100)
  let found = 0
  for (let trial = 0; trial < 400; trial++) {
    const strata = sizes.map((n, stratum) => sample(n, large, 100 + 2 * trial + stratum))
    if (macroTest(strata, drawMacroFlips(sizes, 400, trial)) <= 0.05) found++
  }
  expect(found / 400).toBeGreaterThan(0.73)
  expect(found / 400).toBeLessThan(0.87)
})

test('equivalence is claimed inside the margin and nowhere near it', () => {
  const near = [sample(400, 0.1, 1), sample(300, -0.1, 2)]
  expect(macroEquivalence(near, 0.3)).toBeLessThan(0.001)
  expect(macroEquivalence([sample(400, 0.5, 1), sample(300, 0.1, 2)], 0.3)).toBeGreaterThan(0.05)
  expect(
    macroEquivalence(
      [
        [0, 0],
        [0, 0, 0],
      ],
      0.1,
    ),
  ).toBe(0)
})

describe('a comparison', () => {
  const rows = [0, 1, 2].map((row) => [sample(20, row / 2, 10 + row), sample(70, -row / 9, 20 + row)])
  const own = compareMacro({ names, rows, family, ...how })

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
    const alone = compareMacro({ names, rows, family, ...how, correction: 'none' })
    expect(own.map(({ p }) => p)).toEqual(alone.map(({ adjusted }) => adjusted))
    for (const { adjusted, p } of own) expect(adjusted).toBeGreaterThanOrEqual(p)
    const lower = compareMacro({ names, rows, family, ...how, better: 'lower' })
    expect(lower.map(({ wins, losses }) => [losses, wins])).toEqual(
      own.map(({ wins, losses }) => [wins, losses]),
    )
    const turned = { better: 'worse', worse: 'better' } as Record<string, string>
    expect(lower.map(({ verdict }) => verdict)).toEqual(own.map(({ verdict }) => turned[verdict] ?? verdict))
  })
})
