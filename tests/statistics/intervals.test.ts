import { describe, expect, test } from 'vitest'
import { ANY, SHARE } from '../../src/metrics/range.ts'
import { createRandom } from '../../src/random.ts'
import { studentQuantile, studentTail } from '../../src/statistics/distributions.ts'
import { meanInterval, tTest } from '../../src/statistics/intervals.ts'
import { detectable } from './detectable.ts'

/** n values around `mean`, the sum of 12 uniforms: near enough to normal. */
function sample(n: number, mean: number, seed: number): Float64Array {
  const { uniform } = createRandom(seed)
  return Float64Array.from(
    { length: n },
    () => mean - 6 + Array.from({ length: 12 }, uniform).reduce((a, b) => a + b, 0),
  )
}

describe('distributions, against closed forms', () => {
  test('one degree of freedom is Cauchy, two have a formula', () => {
    for (const t of [0, 0.1, 1, 3.7, 100]) {
      expect(studentTail(t, 1)).toBeCloseTo(0.5 - Math.atan(t) / Math.PI, 14)
      expect(studentTail(t, 2)).toBeCloseTo(0.5 - t / (2 * Math.sqrt(2 + t * t)), 14)
    }
  })
})

describe('the interval of a mean', () => {
  test('of one row is Student’s, and shares have a 0 and a 1 beside them', () => {
    const values = sample(60, 1, 3)
    const { low, high } = tTest(values)
    const is = (interval: { low: number | null; high: number | null }) =>
      expect([interval.low, interval.high]).toEqual([expect.closeTo(low, 12), expect.closeTo(high, 12)])
    is(meanInterval([values], 0.05, ANY))
    const perfect = meanInterval([new Float64Array(20).fill(1)], 0.05, SHARE)
    expect(perfect.high).toBe(1)
    expect(perfect.low).toBeCloseTo(
      21 / 22 - (studentQuantile(0.025, 19) * Math.sqrt(1 / 22)) / Math.sqrt(22),
      12,
    )
    expect(meanInterval([[2, 2, 2]], 0.05, ANY)).toEqual({ low: 2, high: 2 })
    for (const few of [[], [1]]) expect(meanInterval([few], 0.05, SHARE)).toEqual({ low: null, high: null })
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
        const { low, high } = meanInterval([Array.from({ length: 20 }, draw)], 0.05, SHARE)
        if ((low ?? 1) <= truth && truth <= (high ?? 0)) covered++
      }
      expect(covered / 600).toBeGreaterThan(0.92)
    }
  })
  test('with clusters is Student’s over clusters of one size, and covers the mean of shared noise', () => {
    const clusters = Array.from({ length: 60 }, (_, query) => Math.floor(query / 5))
    const values = sample(60, 1, 7)
    const means = Array.from({ length: 12 }, (_, cluster) =>
      values.slice(5 * cluster, 5 * cluster + 5).reduce((sum, value) => sum + value / 5, 0),
    )
    const { low, high } = tTest(means)
    const interval = meanInterval([values], 0.05, ANY, [clusters])
    expect([interval.low, interval.high]).toEqual([expect.closeTo(low, 12), expect.closeTo(high, 12)])
    expect(meanInterval([values], 0.05, SHARE, [values.map(() => 0)])).toEqual({ low: null, high: null })
  })
})

test('the detectable difference is found 80 % of the time', () => {
  const n = 40
  const difference =
    Number(detectable([sample(4000, 0, 1)], studentQuantile(0.025, 39))) * Math.sqrt(4000 / n)
  let significant = 0
  for (let trial = 0; trial < 1000; trial++)
    if (tTest(sample(n, difference, 100 + trial)).p <= 0.05) significant++
  expect(significant / 1000).toBeGreaterThan(0.74)
  expect(significant / 1000).toBeLessThan(0.86)
})
