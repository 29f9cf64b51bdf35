import { endpointParams } from '../rerank-endpoint.ts'
import { defineReranker } from '../reranker.ts'

/** https://huggingface.github.io/text-embeddings-inference: one model a server, which its answers do not name. Scores lie between 0 and 1. */
export const tei = defineReranker({
  name: 'tei',
  summary: "a server of Hugging Face's text-embeddings-inference with a cross-encoder",
  // A server takes 32 at once unless it is told otherwise.
  params: endpointParams({ passagesPerRequest: 32 }),
  wire: {
    path: '/rerank',
    score: 'score',
    body: ({ query, passages }) => ({ query, texts: passages, raw_scores: false, truncate: true }),
    read: (results) => ({ results, usage: null }),
  },
})
