import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SHARE } from '../../src/metrics/range.ts'
import { CORRECTIONS, compareTrials } from '../../src/statistics/compare.ts'
import { studentQuantile } from '../../src/statistics/distributions.ts'
import { meanInterval } from '../../src/statistics/mean-interval.ts'
import { detectable } from './detectable.ts'

const share = fc.constantFrom(0, 0.2, 0.5, 1)

test('intervals of shares, of their differences and what is detectable are possible values', () => {
  const grids = fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 24 }))
    .chain(([rows, queries]) =>
      fc.array(fc.array(share, { minLength: queries, maxLength: queries }), {
        minLength: rows,
        maxLength: rows,
      }),
    )
  fc.assert(
    fc.property(
      grids,
      fc.constantFrom(...CORRECTIONS),
      fc.constantFrom('higher' as const, 'lower' as const),
      (values, correction, better) => {
        const matrix = values.map((row) => Float64Array.from(row))
        const names = matrix.map((_, row) => String(row))
        const rows = compareTrials({
          names,
          matrix,
          correction,
          better,
          level: 0.05,
          draws: 200,
          seed: 1,
          range: SHARE,
          family: names.slice(1).map((name) => ({ name, baseline: '0' })),
        })
        for (const { low, high, difference, detectable } of rows) {
          if (low === null || high === null) continue
          expect(low).toBeGreaterThanOrEqual(-1)
          expect(high).toBeLessThanOrEqual(1)
          expect(low).toBeLessThanOrEqual(difference + 1e-12)
          expect(high).toBeGreaterThanOrEqual(difference - 1e-12)
          if (detectable !== null) expect(detectable).toBeLessThanOrEqual(1)
        }
        for (const row of matrix) {
          const { low, high } = meanInterval([row], 0.05, SHARE)
          if (low === null || high === null) continue
          expect(low).toBeGreaterThanOrEqual(0)
          expect(high).toBeLessThanOrEqual(1)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('a share’s detectable difference counts what the difference itself adds to the variance', () => {
  // Ten of 100 queries differ, five each way: the deviation is .318, and an even gain of .09 would be found.
  const own = Array.from({ length: 100 }, (_, query) => (query < 5 ? 1 : query < 10 ? -1 : 0))
  const t = studentQuantile(0.025, 99)
  const even = detectable([own], t)
  const found = detectable([own], t, { range: { low: -1, high: 1 } }) as number
  const error = Math.sqrt((10 / 99 + found * (1 - found)) / 100)
  expect(found).toBeCloseTo((t + studentQuantile(0.2, 99)) * error, 9)
  expect(found).toBeGreaterThan(even as number)
  // Of three queries nothing that is possible is found so often.
  expect(detectable([[1, 0, -1]], 4.3, { range: { low: -1, high: 1 } })).toBeNull()
})
