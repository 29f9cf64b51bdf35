import { expect, test } from 'vitest'
import { callCost } from '../../../src/experiment/finish/describe.ts'
import type { GivenCompletion } from '../../../src/models/completions/chat.ts'
import { countCompletions } from '../../../src/retrieve/steps/asking.ts'

const given = (
  model: string,
  took: Omit<GivenCompletion['took'], 'estimated'>,
  estimated = false,
): GivenCompletion => ({ model, took: { ...took, estimated }, cut: false })
const small = given('small', { input: 100, cachedInput: 20, output: 10, reasoning: 4 })
const large = given('large', { input: 300, output: 30 })
const reranker = given('near', { input: 0, output: 0, searches: 2 })
const silent = { ...given('small', { input: 7, output: 3 }, true), cut: true }

test('answers are counted together and by model; estimated and cut ones are marked', () => {
  expect(countCompletions([small, small, large, reranker, silent])).toEqual({
    modelCalls: 5,
    inputTokens: 507,
    outputTokens: 53,
    callsEstimated: 1,
    callsCut: 1,
    'inputTokens of small': 207,
    'cachedInputTokens of small': 40,
    'outputTokens of small': 23,
    'inputTokens of large': 300,
    'outputTokens of large': 30,
    'searches of near': 2,
  })
})

test('calls cost what their own model costs; of models without a price nothing is said', () => {
  const counted = countCompletions([small, large, reranker])
  const near = { input: 0, output: 0, searches: 2 }
  const cost = callCost(counted, { small: { input: 1, output: 10, cachedInput: 0.5 }, near, unused: near })
  expect(cost).toMatchObject({ inputTokens: 100, outputTokens: 10 })
  expect(cost.dollars).toBeCloseTo((80 + 20 * 0.5 + 10 * 10) / 1e6 + (2 * 2) / 1000, 15)
  expect(callCost(counted, {})).toEqual({ inputTokens: 0, outputTokens: 0, dollars: 0 })
})
