import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ratioInterval, tTest } from '../../src/statistics/intervals.ts'

const level = fc.constantFrom(0.05, 0.2)
const pairs = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 0, max: 9 })), {
  minLength: 15,
  maxLength: 40,
})

test('at its ends the paired t-test of a - r b is just at the level, between them it does not tell it from 0', () => {
  fc.assert(
    fc.property(pairs, level, (pairsOfValues, level) => {
      const [a, b] = [0, 1].map((at) => pairsOfValues.map((pair) => pair[at]))
      const interval = ratioInterval(a, b, level)
      const less = (r: number) =>
        tTest(
          a.map((value, i) => value - r * b[i]),
          { level },
        )
      const ofB = tTest(b, { level })
      expect(interval === null).toBe(ofB.low <= 0)
      if (!interval) return
      const { low, high } = interval
      const scale = 1e-9 * Math.max(1, ...[low, high].map(Math.abs))
      if (high - low < 1e-6) return
      for (const end of [low, high]) {
        const at = less(end)
        expect(Math.min(Math.abs(at.low), Math.abs(at.high))).toBeLessThan(scale)
      }
      const inside = less((low + high) / 2)
      expect(inside.low).toBeLessThanOrEqual(scale)
      expect(inside.high).toBeGreaterThanOrEqual(-scale)
    }),
  )
})

test('a constant ratio is its own interval; without headroom or with too few pairs there is none', () => {
  const b = Array.from({ length: 20 }, (_, i) => (i % 3) / 2)
  const interval = ratioInterval(
    b.map((value) => value / 4),
    b,
    0.05,
  )
  expect(interval?.low).toBeCloseTo(0.25, 6)
  expect(interval?.high).toBeCloseTo(0.25, 6)
  const zeros = b.map(() => 0)
  expect(ratioInterval(b, zeros, 0.05)).toBeNull()
  expect(ratioInterval(b.slice(0, 14), b.slice(0, 14), 0.05)).toBeNull()
})
