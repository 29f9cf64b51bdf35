import { expect, test } from 'vitest'
import { callCost } from '../../../src/experiment/finish/describe.ts'
import type { GivenCompletion } from '../../../src/models/completions/chat.ts'
import { countCompletions } from '../../../src/retrieve/steps/asking.ts'

const completionOf = (model: string, took: Omit<GivenCompletion['took'], 'estimated'>): GivenCompletion => ({
  model,
  took: { ...took, estimated: false },
  cut: false,
})
const small = completionOf('small', { input: 100, cachedInput: 20, output: 10, reasoning: 4 })
const large = completionOf('large', { input: 300, output: 30 })
const reranker = completionOf('near', { input: 0, output: 0, searches: 2 })

test('calls cost what their own model costs; of models without a price nothing is said', () => {
  const counted = countCompletions([small, large, reranker])
  const near = { input: 0, output: 0, searches: 2 }
  const cost = callCost(counted, { small: { input: 1, output: 10, cachedInput: 0.5 }, near, unused: near })
  expect(cost).toMatchObject({ inputTokens: 100, outputTokens: 10 })
  expect(cost.dollars).toBeCloseTo((80 + 20 * 0.5 + 10 * 10) / 1e6 + (2 * 2) / 1000, 15)
  expect(callCost(counted, {})).toEqual({ inputTokens: 0, outputTokens: 0, dollars: 0 })
})
