import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differingScores, expectedText, parseExpected } from '../../src/results/expected.ts'

test('what is written reads back equal; a score differs exactly where it is off by more than the tolerance', () => {
  const score = fc.integer({ min: 0, max: 1000 })
  fc.assert(
    fc.property(score, score, fc.integer({ min: 0, max: 100 }), (expected, actual, tolerance) => {
      const scores = { row: { mrr: expected / 1000 } }
      const read = parseExpected(expectedText(scores, tolerance / 1000), 'e.json')
      expect(read).toMatchObject({ tolerance: tolerance / 1000, scores })
      const differing = differingScores(read, { row: { mrr: actual / 1000 } })
      expect(differing.length).toBe(Math.abs(expected - actual) > tolerance ? 1 : 0)
    }),
  )
})

const SCORES = { a: { mrr: 0.5, map: null }, b: { mrr: 0.25 } }

test('means differ by more than the tolerance, or where one of them is none', () => {
  const means = { a: { mrr: 0.51, map: null }, b: { mrr: null } } as never
  const expected = { scores: SCORES, tolerance: 0.01 } as never
  expect(differingScores(expected, means)).toEqual([
    { row: 'b', measure: 'mrr', expected: 0.25, found: null },
  ])
  expect(differingScores({ scores: SCORES, tolerance: 0.0099 } as never, means)).toEqual([
    { row: 'a', measure: 'mrr', expected: 0.5, found: 0.51 },
    { row: 'b', measure: 'mrr', expected: 0.25, found: null },
  ])
  expect(
    differingScores({ scores: { a: { map: null } }, tolerance: 9 } as never, { a: { map: 0 } }),
  ).toHaveLength(1)
})
