import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barOf } from '../../src/ranking/bar.ts'
import { rankPairs } from '../../src/ranking/order.ts'

/** Scores of one size, that hardly differ, far apart, and both zeros. */
const score = fc.oneof(
  fc.double({ min: 0, max: 20, noNaN: true }),
  fc.integer({ min: -3, max: 3 }).map((i) => 2 ** 52 + i),
  fc.constantFrom(0, -0, 5e-324, 1e300, -1e300, 1.7e308, -1.7e308),
)
const scores = fc.oneof(
  fc.array(score, { minLength: 1, maxLength: 300 }),
  fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 100, maxLength: 300 }),
)

describe('barOf', () => {
  it('gives a bar that at least as many scores reach as were asked for', () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 60 }), (all, depth) => {
        const bar = barOf(all, depth)
        if (depth > all.length) expect(bar).toBeNaN()
        else if (!Number.isNaN(bar))
          expect(all.filter((one) => one >= bar).length).toBeGreaterThanOrEqual(depth)
      }),
    )
  })

  it('lets few others through where scores are spread', () => {
    const all = Array.from({ length: 5000 }, (_, i) => (i * 0.618034) % 1)
    const reached = all.filter((one) => one >= barOf(all, 100)).length
    expect(reached).toBeGreaterThanOrEqual(100)
    expect(reached).toBeLessThan(140)
  })

  it('gives none where scores are all equal, infinite or NaN', () => {
    expect(barOf([2, 2, 2], 1)).toBeNaN()
    expect(barOf([1, Number.POSITIVE_INFINITY, 2], 1)).toBeNaN()
    expect(barOf([1, Number.NEGATIVE_INFINITY, 2], 1)).toBeNaN()
    expect(barOf([1, Number.NaN, 2], 1)).toBeNaN()
  })
})

it('rankPairs keeps the same with a bar as by sorting all', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 60 }), (all, depth) => {
      const rows = [...all.keys()]
      const sorted = rows.sort((a, b) => all[b] - all[a] || b - a).slice(0, depth)
      const ranked = rankPairs([...all.keys()], all, depth)
      expect([...ranked.rows]).toEqual(sorted)
      expect([...ranked.scores]).toEqual(sorted.map((row) => all[row] + 0))
    }),
  )
})
