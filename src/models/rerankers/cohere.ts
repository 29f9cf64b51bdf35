import { endpointParams, rerankUsage } from '../rerank-endpoint.ts'
import { defineReranker } from '../reranker.ts'

/** https://docs.cohere.com/reference/rerank (v2); vLLM and others speak it too. Scores lie between 0 and 1. */
export const cohere = defineReranker({
  name: 'cohere',
  summary: "Cohere's rerank API (v2), or a compatible server",
  params: endpointParams({ baseUrl: 'https://api.cohere.com', apiKeyEnv: 'CO_API_KEY' }),
  wire: {
    passages: 1000,
    path: '/v2/rerank',
    score: 'relevance_score',
    body: ({ model, query, passages }) => ({ model, query, documents: passages, top_n: passages.length }),
    read: ({ results, meta }) => ({
      results,
      usage: rerankUsage(undefined, meta?.billed_units?.search_units),
    }),
  },
})
