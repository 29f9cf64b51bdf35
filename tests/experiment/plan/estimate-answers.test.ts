import { describe, expect, test } from 'vitest'
import { textsAsContext } from '../../../src/answer/context.ts'
import {
  answerLines,
  callsLine,
  estimateCalls,
  longestContext,
  longestQuestion,
} from '../../../src/experiment/plan/estimate-answers.ts'
import { judgeLines } from '../../../src/experiment/plan/estimate-judges.ts'
import type { OpenExperiment } from '../../../src/experiment/plan/open.ts'
import { cachedModel } from '../../../src/models/completions/cached-model.ts'
import { chatAtMost } from '../../../src/models/completions/cost.ts'
import { countTokens } from '../../../src/text/tokens.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'

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
  const params = { context: 'chunks', maxTokens: 2000 }
  const bound = await longestContext(open, params)
  const piece = Array.from({ length: 18 }, (_, index) => `word${index}`.slice(0, 4)).join(' ')
  const cost = countTokens(`entity\n${piece}`)
  const pieces = Array.from({ length: Math.floor(2000 / cost) }, () => `entity\n${piece}`)
  const sent = countTokens(textsAsContext(pieces))
  expect(cost).toBeGreaterThanOrEqual(20)
  expect(sent).toBeLessThanOrEqual(bound.tokens)
  expect(bound.tokens).toBeLessThan(2 * sent)
})

describe('the longest context of an answer', () => {
  const recipe = recipeOf(documentsOf(['Salt is raked.']))
  const of = (params: object, { evidence = false, spans = undefined as number[] | undefined } = {}) =>
    longestContext(
      {
        experiment: { context: { top: 5 } },
        trials: [{}, evidence ? { evidence: {} } : {}],
        recipes: [recipe],
        store: {
          missing: (artifacts: unknown[]) => (spans ? [] : artifacts),
          open: async () => spans?.map((tokens) => ({ tokens })),
        },
      } as unknown as OpenExperiment,
      { context: 'chunks', maxTokens: 2000, ...params },
    )

  test('of chunks is that of so many of the longest one, each with its marks and headings', async () => {
    expect(await of({}, { spans: [3, 70, 20] })).toEqual({ tokens: 5 * 70 + 5 * 40, passages: 5 })
    expect(await of({ top: 2 }, { spans: [70] })).toEqual({ tokens: 2 * 70 + 2 * 40, passages: 2 })
    expect(await of({}, { spans: [500] })).toEqual({ tokens: 2000 + 5 * 40, passages: 5 })
    // No chunk is made yet.
    expect(await of({})).toEqual({ tokens: 2000 + 5 * 40, passages: 5 })
  })

  test('of documents, or with evidence, is its maximum and the marks of every piece', async () => {
    expect(await of({ context: 'documents' })).toEqual({ tokens: 2000 + 5 * 12, passages: 5 })
    expect(await of({}, { evidence: true, spans: [1] })).toEqual({ tokens: 2000 + 100 * 12, passages: 100 })
    expect(await of({ maxTokens: 2001 }, { evidence: true })).toEqual({
      tokens: 2001 + 101 * 12,
      passages: 101,
    })
    expect(await of({ top: 200 }, { evidence: true })).toEqual({ tokens: 2000 + 200 * 12, passages: 200 })
  })
})

test('the longest question is that with the most tokens, not letters', () => {
  const longest = (...texts: string[]) =>
    longestQuestion({ dataset: { queries: texts.map((text) => ({ text })) } } as unknown as OpenExperiment)
  expect(longest('Where?', 'a b c d e f', 'internationalization')).toBe('a b c d e f')
  expect(longest()).toBe('')
})

test('each answerer has a line; its finalists are counted where there are several', () => {
  const estimate = { answerer: 'llm', calls: 1200, inputTokens: 34_567, outputTokens: 8900, dollars: 2 }
  const rest = 'about 34,567 tokens read (estimated), 8,900 written, about $2.00, less stored completions'
  expect(answerLines([1, 3].map((contexts) => ({ ...estimate, contexts })))).toEqual([
    `to answer: llm: at most 1,200 calls, ${rest}`,
    `to answer: llm: at most 1,200 calls for 3 finalists, ${rest}`,
  ])
  expect(callsLine('to judge', { ...estimate, outputTokens: null, dollars: null }, ' twice')).toBe(
    'to judge: at most 1,200 calls twice, about 34,567 tokens read (estimated), no limit to output (`maxTokens`), no bound in dollars, less stored completions',
  )
})

test('each judge has a line, which says where the length of answers has no limit', () => {
  const estimate = { judge: 'faithful', calls: 8, inputTokens: 900, outputTokens: 16, dollars: 0.01 }
  const rest = 'about 900 tokens read (estimated), 16 written, about $0.0100, less stored completions'
  expect(judgeLines([false, true].map((unlimited) => ({ ...estimate, unlimited })))).toEqual([
    `to judge: faithful: at most 8 calls, ${rest}`,
    `to judge: faithful: at most 8 calls, answers without a limit left out, ${rest}`,
  ])
})
