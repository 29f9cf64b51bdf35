import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Completion, Usage } from '../../../src/models/chat/chat-model.ts'
import { chatAtMost, dollarsAtMost, dollarsOfUsage, takenBy } from '../../../src/models/completions/cost.ts'
import { RERANKING } from '../../../src/models/completions/request.ts'
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

test('messages and a schema are read, with a frame around each', () => {
  const messages = [{ role: 'user', content: 'one two three' } as const]
  const schema = { type: 'object' }
  const { input, output } = chatAtMost({ messages, schema }, 7)
  expect(output).toBe(7)
  expect(input).toBe(4 + (countTokens('one two three') + 4) + (countTokens('{"type":"object"}') + 4))
  expect(chatAtMost({ messages }, undefined).output).toBeNull()
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

test('a count that can be is believed, for a call that gave nothing too', () => {
  expect(call({ input: 100, output: 5 })).toEqual({ input: 100, output: 5, estimated: false })
  expect(call({ input: 100, output: 5 }, { text: '' })).toEqual({ input: 100, output: 5, estimated: false })
  expect(call({ input: 100, output: 0 }, { text: '', finish: 'refusal' }).estimated).toBe(false)
  expect(call({ input: 100, output: 0 }, { text: '', reasoning: 'so long' })).toMatchObject({
    output: countTokens('so long'),
    estimated: true,
  })
  // More cached than read would earn money.
  expect(call({ input: 100, output: 5, cachedInput: 1e6, reasoning: 7 })).toMatchObject({
    cachedInput: 100,
    reasoning: 5,
  })
})

test('a reranker reads the query with every passage and writes nothing; counted searches stand in place of tokens', () => {
  expect(call(null, {}, RERANKING)).toEqual({
    input: 2 * countTokens('why so') + countTokens('short') + countTokens('long'),
    output: 0,
    estimated: true,
  })
  expect(call({ input: 0, output: 0, searches: 1 }, {}, RERANKING)).toEqual({
    input: 0,
    output: 0,
    searches: 1,
    estimated: false,
  })
  expect(call({ input: 0, output: 0, searches: -3 }, {}, RERANKING).estimated).toBe(true)
})

test('dollars are by million tokens, and by thousand searches', () => {
  const usage = { input: 1_000_000, cachedInput: 250_000, output: 500_000, searches: 3 }
  // 0.75 * 2 + 0.25 * 1 + 0.5 * 4 + 3 * 2 / 1000
  expect(dollarsOfUsage(usage, { input: 2, output: 4, cachedInput: 1, searches: 2 })).toBeCloseTo(3.756, 12)
  expect(dollarsOfUsage(usage, { input: 2, output: 4 })).toBe(4)
  expect(
    dollarsOfUsage({ input: 1_000_000, output: 0 }, { input: 2, output: 4, cachedInput: 1, searches: 2 }),
  ).toBe(2)
  expect(dollarsAtMost({ input: 0, output: null, searches: 5 }, { input: 1, output: 0, searches: 1 })).toBe(
    0.005,
  )
})

test('a failed request took nothing, and white space is no text', () => {
  expect(call({ input: 100, output: 5 }, { finish: 'failed' })).toEqual({
    input: 0,
    output: 0,
    estimated: false,
  })
  expect(call({ input: 100, output: 0 }, { text: ' \n', reasoning: ' ' })).toEqual({
    input: 100,
    output: 0,
    estimated: false,
  })
  const nothing = { key: '', sha256: '', request: { model: {}, prompt: 'p', repeat: 0, messages: [] } }
  expect(takenBy({ ...nothing, completion: { text: '', model: 'm', finish: 'stop', usage: null } })).toEqual({
    input: 0,
    output: 0,
    estimated: true,
  })
})
