import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SHARE } from '../../src/metrics/range.ts'
import { CORRECTIONS, compareTrials } from '../../src/statistics/compare.ts'
import { meanInterval } from '../../src/statistics/intervals.ts'

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
