import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Completion, Usage } from '../../../src/models/chat/chat-model.ts'
import { dollarsAtMost, dollarsOfUsage, takenBy } from '../../../src/models/completions/cost.ts'
import { countTokens } from '../../../src/text/tokens.ts'

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

test('there is no bound without a price, nor without a limit to what is written', () => {
  expect(dollarsAtMost({ input: 1, output: 1 }, null)).toBeNull()
  expect(dollarsAtMost({ input: 1, output: null }, { input: 1, output: 1 })).toBeNull()
  expect(dollarsAtMost({ input: 1e6, output: null }, { input: 3, output: 0 })).toBe(3)
})

const call = (usage: unknown, more: Partial<Completion> = {}, prompt = 'p') =>
  takenBy({
    key: '',
    sha256: '',
    request: {
      model: {},
      prompt,
      repeat: 0,
      messages: ['why so', 'short', 'long'].map((content) => ({ role: 'user', content })),
    },
    completion: { text: 'because of it', model: 'm', finish: 'stop', usage: usage as Usage, ...more },
  })

test.each([null, 0, -1_000_000, '100', 1e308, Number.NaN, 0.5, 1e9, undefined, {}])(
  'a count that cannot be is estimated and marked: %s',
  (count) => {
    const usage = count === null ? null : { input: count, output: count }
    const input = ['why so', 'short', 'long'].reduce((sum, text) => sum + countTokens(text), 0)
    expect(call(usage)).toEqual({ input, output: countTokens('because of it'), estimated: true })
  },
)
