import { endpointParams, rerankUsage } from '../rerank-endpoint.ts'
import { defineReranker } from '../reranker.ts'

/** https://jina.ai/reranker; llama.cpp, vLLM, Infinity and others speak it too. */
export const jina = defineReranker({
  name: 'jina',
  summary: "Jina's rerank API, or a compatible server: llama.cpp, vLLM, Infinity",
  params: endpointParams({ baseUrl: 'https://api.jina.ai/v1', apiKeyEnv: 'JINA_API_KEY' }),
  wire: {
    passages: 1000,
    path: '/rerank',
    score: 'relevance_score',
    body: ({ model, query, passages }) => ({
      model,
      query,
      documents: passages,
      top_n: passages.length,
      return_documents: false,
    }),
    read: ({ results, usage }) => ({ results, usage: rerankUsage(usage?.total_tokens) }),
  },
})
