import { endpointParams } from '../rerank-endpoint.ts'
import { defineReranker } from '../reranker.ts'

/**
 * https://huggingface.github.io/text-embeddings-inference: one model per server, which its responses do not name. Scores
 * lie between 0 and 1.
 */
export const tei = defineReranker({
  name: 'tei',
  summary:
    "a server of Hugging Face's text-embeddings-inference with a cross-encoder, which reads the beginning of a long passage",
  params: endpointParams({}),
  wire: {
    // The server's default.
    passages: 32,
    path: '/rerank',
    score: 'score',
    body: ({ query, passages }) => ({ query, texts: passages, raw_scores: false, truncate: true }),
    read: (results) => ({ results, usage: null }),
  },
})
