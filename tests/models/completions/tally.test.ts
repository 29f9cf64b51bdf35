import { expect, test } from 'vitest'
import { storedCompletion } from '../../../src/models/completions/request.ts'
import { isOf, tally } from '../../../src/models/completions/tally.ts'
import { completion, question } from './fixture.ts'

const of = (model: string) => ({ model: { provider: 'openai', model, temperature: 0 } })
const usage = { input: 4, cachedInput: 3, output: 2, reasoning: 1 }

test('answers are counted by model, with what the servers counted', () => {
  const all = [
    storedCompletion(question('a', of('second')), completion('x', { usage })),
    storedCompletion(question('b', of('first')), completion('', { usage: null, finish: 'refusal' })),
    storedCompletion(question('c', of('second')), completion('y', { usage, finish: 'length' })),
    storedCompletion(question('d', of('second')), completion('', { usage, finish: 'refusal' })),
  ]
  const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  expect(tally(all)).toEqual([
    {
      provider: 'openai',
      model: 'first',
      completions: 1,
      refusals: 1,
      failed: 0,
      cut: 0,
      // The request was read, though the server counted nothing.
      ...none,
      inputTokens: 1,
      estimated: 1,
    },
    {
      provider: 'openai',
      model: 'second',
      completions: 3,
      refusals: 1,
      failed: 0,
      cut: 1,
      estimated: 0,
      inputTokens: 12,
      cachedInputTokens: 9,
      outputTokens: 6,
      reasoningTokens: 3,
    },
  ])
  expect(all.map((one) => isOf(one, 'first'))).toEqual([false, true, false, false])
  expect(all.every((one) => isOf(one, undefined))).toBe(true)
  expect(tally([])).toEqual([])
})
