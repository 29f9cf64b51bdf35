import { expect, test } from 'vitest'
import { enoughRepeats, shareOfSeeds } from '../../src/report/repeats.ts'

const means = [0.4, 0.5, 0.6, 0.5, 0.5]

test('enough repeats leave the seeds a tenth of the variance', () => {
  const error = { queries: 0.0004, repeats: 0.0002, rest: 0.0001 }
  const R = enoughRepeats({ means, error })!
  const shareWith = (count: number) =>
    shareOfSeeds({
      means,
      error: { ...error, repeats: (5 * error.repeats) / count, rest: (5 * error.rest) / count },
    })
  expect(shareWith(R)).toBeLessThanOrEqual(0.1)
  expect(shareWith(R - 1)).toBeGreaterThan(0.1)
})

test('seeds that decide nothing need no more than the fewest; queries that do not vary give no figure', () => {
  expect(enoughRepeats({ means, error: { queries: 0.1, repeats: 0, rest: 0.1 } })).toBe(3)
  expect(enoughRepeats({ means, error: { queries: 0, repeats: 0.1, rest: 0 } })).toBeNull()
  expect(shareOfSeeds({ means, error: { queries: 0, repeats: 0, rest: 0 } })).toBe(0)
})
