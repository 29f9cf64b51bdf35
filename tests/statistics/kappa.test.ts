import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cohensKappa } from '../../src/statistics/kappa.ts'

test('the example of the textbooks: 20 yes, 15 no, 5 and 10 apart', () => {
  const pairs = [
    ...Array.from({ length: 20 }, () => [true, true]),
    ...Array.from({ length: 5 }, () => [true, false]),
    ...Array.from({ length: 10 }, () => [false, true]),
    ...Array.from({ length: 15 }, () => [false, false]),
  ]
  expect(
    cohensKappa(
      pairs.map(([one]) => one),
      pairs.map(([, other]) => other),
    ),
  ).toBeCloseTo(0.4, 12)
})

test('it is symmetric, 1 for full agreement, and at most 1', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2 }), (pairs) => {
      const one = pairs.map(([a]) => a)
      const other = pairs.map(([, b]) => b)
      const kappa = cohensKappa(one, other)
      const back = cohensKappa(other, one)
      if (Number.isNaN(kappa)) expect(back).toBe(Number.NaN)
      else expect(back).toBeCloseTo(kappa, 9)
      if (!Number.isNaN(kappa)) expect(kappa).toBeLessThanOrEqual(1 + 1e-12)
      if (new Set(one).size === 2) expect(cohensKappa(one, one)).toBeCloseTo(1, 12)
    }),
  )
})

test('without items, or where both say the same throughout, there is none', () => {
  expect(cohensKappa([], [])).toBe(Number.NaN)
  expect(cohensKappa([true, true], [true, true])).toBe(Number.NaN)
})
