import { expect, test } from 'vitest'
import { callPrices } from '../../../src/experiment/plan/call-prices.ts'

test('prices are by name, of every model and reranker whose price is known', () => {
  const chat = (price?: object) => ({
    name: 'openai-compatible',
    params: { baseUrl: 'http://localhost:1/v1', model: 'm', ...(price && { price }) },
  })
  const rerank = (price?: object) => ({
    name: 'jina',
    params: { baseUrl: 'http://localhost:1/v1', model: 'r', ...(price && { price }) },
  })
  const models = {
    plain: chat({ input: 3, output: 15 }),
    cached: chat({ input: 3, cachedInput: 0, output: 15 }),
    unknown: chat(),
  }
  const rerankers = { paid: rerank({ input: 2 }), free: rerank(), local: { name: 'lexical', params: {} } }
  expect(callPrices({ models, rerankers } as never)).toEqual({
    plain: { input: 3, output: 15 },
    cached: { input: 3, cachedInput: 0, output: 15 },
    paid: { input: 2, output: 0, searches: 0 },
  })
})
