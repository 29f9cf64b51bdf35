import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANY } from '../../src/metrics/range.ts'
import { createRandom } from '../../src/random.ts'
import { studentQuantile } from '../../src/statistics/distributions.ts'
import { meanInterval } from '../../src/statistics/intervals.ts'
import { effectSize, errorOf, macroMean, momentsOf } from '../../src/statistics/moments.ts'
import { detectable } from './detectable.ts'

/** n values around `mean`, the sum of 12 uniforms: near enough to normal. */
function sample(n: number, mean: number, seed: number): Float64Array {
  const { uniform } = createRandom(seed)
  return Float64Array.from(
    { length: n },
    () => mean - 6 + Array.from({ length: 12 }, uniform).reduce((a, b) => a + b, 0),
  )
}

test('of one stratum everything is what the plain formulas say', () => {
  const sizes = fc.integer({ min: 2, max: 40 })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 1e6 }), (n, seed) => {
      const values = sample(n, 0.2, seed)
      const { mean, sd } = momentsOf(values)
      expect(macroMean([values])).toBe(mean)
      expect(errorOf([values]).error).toBeCloseTo(sd / Math.sqrt(n), 14)
      expect(errorOf([values], [[...values.keys()]]).error).toBeCloseTo(sd / Math.sqrt(n), 12)
      expect(effectSize([values])).toBe(mean / sd)
      const reach = studentQuantile(0.025, n - 1) + studentQuantile(1 - 0.8, n - 1)
      expect(detectable([values], studentQuantile(0.025, n - 1))).toBeCloseTo((reach * sd) / Math.sqrt(n), 12)
    }),
  )
})

describe('the macro mean', () => {
  test('its interval covers it about as often as it says', () => {
    let covered = 0
    const rows = Array.from({ length: 400 }, (_, trial) => [
      sample(50, 1, 2 * trial + 1),
      sample(90, 3, 2 * trial + 2),
    ])
    for (const { low, high } of rows.map((row) => meanInterval(row, 0.1, ANY)))
      if ((low ?? 3) <= 2 && 2 <= (high ?? 1)) covered++
    expect(covered / 400).toBeGreaterThan(0.84)
    expect(covered / 400).toBeLessThan(0.95)
  })
})
