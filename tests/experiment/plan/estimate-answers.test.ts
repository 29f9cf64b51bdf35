import { expect, test } from 'vitest'
import { textsAsContext } from '../../../src/answer/context.ts'
import { callsLine, estimateCalls, longestContext } from '../../../src/experiment/plan/estimate-answers.ts'
import type { OpenExperiment } from '../../../src/experiment/plan/open.ts'
import { cachedModel } from '../../../src/models/completions/cached-model.ts'
import { chatAtMost } from '../../../src/models/completions/cost.ts'
import { countTokens } from '../../../src/text/tokens.ts'

const PROMPT = 'Which river does the bridge cross?'

function modelWith(maxTokens: number | undefined, price = { input: 3, cachedInput: 3, output: 15 }) {
  return cachedModel({
    ...{ name: 'small', identity: { provider: 'openai', model: 'm' }, params: {}, concurrency: 1, price },
    completions: { get: () => undefined, put: (one) => one },
    open: () => ({ complete: () => Promise.reject(new Error('nobody was to be asked')) }),
    atMost: (asking) => chatAtMost(asking, maxTokens),
  })
}

test('every call of a prompt is counted with its tokens and dollars, and prompts add up', () => {
  const model = modelWith(50)
  const one = estimateCalls(model, [{ prompt: PROMPT, calls: 1 }], 1)
  expect(one).toMatchObject({ calls: 1, outputTokens: 50 })
  expect(one.inputTokens).toBeGreaterThanOrEqual(countTokens(PROMPT))
  expect(one.dollars).toBeCloseTo((3 * one.inputTokens + 15 * 50) / 1e6, 12)
  const times = (n: number) => ({
    ...{ calls: n, inputTokens: n * one.inputTokens, outputTokens: n * 50 },
    dollars: expect.closeTo(n * (one.dollars ?? 0), 12),
  })
  expect(estimateCalls(model, [{ prompt: PROMPT, calls: 3 }], 2)).toEqual(times(6))
  const two = [1, 4].map((calls) => ({ prompt: PROMPT, calls }))
  expect(estimateCalls(model, two, 2)).toEqual(times(10))
})

test('no limit to what is written bounds neither tokens nor dollars', () => {
  const found = estimateCalls(modelWith(undefined), [{ prompt: PROMPT, calls: 1 }], 2)
  expect(found).toMatchObject({ calls: 2, outputTokens: null, dollars: null })
  expect(callsLine('to answer', found, '')).toContain('at most 2 calls, about ')
})

test('the bound of a context with evidence holds many small pieces, and no mark is counted for tokens that cannot be there', async () => {
  const open = {
    experiment: { context: { top: 5 } },
    trials: [{ evidence: {} }],
  } as unknown as OpenExperiment
  const params = { context: 'chunks', maxTokens: 2000, evidence: true }
  const bound = await longestContext(open, params)
  const piece = Array.from({ length: 18 }, (_, index) => `word${index}`.slice(0, 4)).join(' ')
  const cost = countTokens(`entity\n${piece}`)
  const pieces = Array.from({ length: Math.floor(2000 / cost) }, () => `entity\n${piece}`)
  const sent = countTokens(textsAsContext(pieces))
  expect(cost).toBeGreaterThanOrEqual(20)
  expect(sent).toBeLessThanOrEqual(bound.tokens)
  expect(bound.tokens).toBeLessThan(2 * sent)
})
