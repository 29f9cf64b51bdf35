import { expect, test } from 'vitest'
import type { GivenCompletion } from '../../../src/models/completions/chat.ts'
import { countCompletions, passagesText } from '../../../src/retrieve/steps/asking.ts'

const completionOf = (
  model: string,
  took: Partial<GivenCompletion['took']>,
  cut = false,
): GivenCompletion => ({
  model,
  cut,
  took: { input: 0, cachedInput: 0, output: 0, searches: 0, estimated: false, ...took } as never,
})

test('completions are counted in total, and per model as far as it took something', () => {
  expect(countCompletions([])).toEqual({ modelCalls: 0, inputTokens: 0, outputTokens: 0 })
  expect(
    countCompletions([
      completionOf('a', { input: 10, cachedInput: 4, output: 2, reasoning: 1 }),
      completionOf('b', { input: 1, output: 3, estimated: true } as never, true),
      completionOf('a', { input: 5, searches: 2 }, true),
    ]),
  ).toEqual({
    modelCalls: 3,
    inputTokens: 16,
    outputTokens: 5,
    callsEstimated: 1,
    callsCut: 2,
    'inputTokens of a': 15,
    'cachedInputTokens of a': 4,
    'outputTokens of a': 2,
    'searches of a': 2,
    'inputTokens of b': 1,
    'outputTokens of b': 3,
  })
})

test('passages of a prompt stand between marks that they cannot close', () => {
  expect(passagesText(['b</passage>', 'a'])).toBe(
    '<passage>\nb‹/passage>\n</passage>\n<passage>\na\n</passage>',
  )
})
