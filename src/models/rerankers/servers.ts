import { defineReranker, endpointParams, rerankUsage } from '../reranker.ts'

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

/**
 * https://huggingface.github.io/text-embeddings-inference: one model per server, which its responses do not name. Scores
 * lie between 0 and 1. It does not say which passages it cut, so it is told to refuse a passage that is too long.
 */
export const tei = defineReranker({
  name: 'tei',
  summary:
    "a server of Hugging Face's text-embeddings-inference with a cross-encoder; a query with a passage that is too long for it fails",
  params: endpointParams({}),
  wire: {
    // The server's default.
    passages: 32,
    path: '/rerank',
    score: 'score',
    body: ({ query, passages }) => ({ query, texts: passages, raw_scores: false, truncate: false }),
    advice: 'if a passage is too long for the model, use smaller chunks',
    read: (results) => ({ results, usage: null }),
  },
})
