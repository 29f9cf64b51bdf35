import { expect, test } from 'vitest'
import { kendallTau } from '../scripts/engine-bm25/kendall.ts'

test("Kendall's tau-b has the values of scipy.stats.kendalltau", () => {
  expect(kendallTau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])).toBeCloseTo(-0.4714045207910316, 14)
  expect(kendallTau([1, 2, 3, 4, 5], [1, 3, 2, 4, 5])).toBeCloseTo(0.8, 14)
  expect(kendallTau([1, 2, 3], [1, 2, 3])).toBe(1)
  expect(kendallTau([3, 2, 1], [1, 2, 3])).toBe(-1)
  expect(kendallTau([1, 1, 1], [1, 2, 3])).toBeNaN()
})
