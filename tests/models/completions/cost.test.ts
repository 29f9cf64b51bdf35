import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dollarsAtMost, dollarsOfUsage } from '../../../src/models/completions/cost.ts'

const price = fc.record({
  input: fc.double({ min: 0, max: 100, noNaN: true }),
  output: fc.double({ min: 0, max: 100, noNaN: true }),
})
const count = fc.nat(100_000)

test('a bound is no less than what is charged within it, cached or not', () => {
  fc.assert(
    fc.property(
      price,
      count,
      count,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (rates, input, output, share) => {
        const most = dollarsAtMost({ input, output }, rates)
        const cached = { ...rates, cachedInput: rates.input * share }
        const usage = { input, cachedInput: Math.floor(input * share), output: Math.floor(output * share) }
        expect(dollarsOfUsage(usage, cached)).toBeLessThanOrEqual((most as number) * (1 + 1e-9))
      },
    ),
  )
})
