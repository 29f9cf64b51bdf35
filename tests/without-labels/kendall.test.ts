import { expect, test } from 'vitest'
import { kendallTau } from '../../scripts/without-labels/kendall.ts'
import { agreement, consensus, nqc, scoreClarity, wig } from '../../scripts/without-labels/predictors.ts'

test("Kendall's tau-b has the values of scipy.stats.kendalltau", () => {
  expect(kendallTau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])).toBeCloseTo(-0.4714045207910316, 14)
  expect(kendallTau([1, 2, 3, 4, 5], [1, 3, 2, 4, 5])).toBeCloseTo(0.8, 14)
  expect(kendallTau([1, 2, 3], [1, 2, 3])).toBe(1)
  expect(kendallTau([3, 2, 1], [1, 2, 3])).toBe(-1)
  expect(kendallTau([1, 1, 1], [1, 2, 3])).toBeNaN()
})

test('signals without labels are higher for peaked scores and for shared chunks, whatever the scale', () => {
  const peaked = { chunks: ['a', 'b', 'c', 'd', 'e', 'f'], scores: [20, 4, 3, 2, 1, 1] }
  const flat = { chunks: ['x', 'y', 'c', 'd', 'z', 'w'], scores: [5, 5, 5, 4, 4, 4] }
  const scaled = { ...peaked, scores: peaked.scores.map((score) => score / 100) }
  for (const signal of [nqc, scoreClarity, (own: typeof peaked) => wig(own, 4)]) {
    expect(signal(peaked)).toBeGreaterThan(signal(flat))
    expect(signal(scaled)).toBeCloseTo(signal(peaked), 12)
  }
  // Population deviation over the mean: scores 1 and 3.
  expect(nqc({ chunks: ['a', 'b'], scores: [3, 1] })).toBeCloseTo(0.5, 12)
  // Shares 3/4 and 1/4 against halves.
  expect(scoreClarity({ chunks: ['a', 'b'], scores: [3, 1] })).toBeCloseTo(
    0.75 * Math.log2(1.5) + 0.25 * Math.log2(0.5),
    12,
  )
  expect(agreement(peaked, [flat, peaked])).toBeCloseTo((2 / 6 + 1) / 2, 12)
  expect(consensus(peaked, [peaked, flat, peaked])).toBe(1)
  expect(consensus(flat, [peaked, flat, peaked])).toBeCloseTo(2 / 5, 12)
  for (const none of [{ chunks: [], scores: [] }])
    expect([
      nqc(none),
      wig(none, 0),
      scoreClarity(none),
      agreement(none, [peaked]),
      consensus(none, [none]),
    ]).toEqual([0, 0, 0, 0, 0])
})
