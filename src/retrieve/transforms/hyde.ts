import { rewriteByModel } from '../steps/ask-model.ts'
import { defineQueryTransform } from './index.ts'

/**
 * Hypothetical document embeddings: a model writes a passage that might answer the question, and dense search looks for
 * passages near that one; lexical search keeps the question's words. One passage, where the paper averages the vectors of
 * several and the question's.
 * Gao, Ma, Lin and Callan, Precise Zero-Shot Dense Retrieval without Relevance Labels (ACL 2023).
 */
export default defineQueryTransform({
  name: 'hyde',
  summary: 'dense search for passages near one that a model wrote to answer the question',
  source: 'Gao et al. 2023',
  ...rewriteByModel('hyde', (query, text) => ({ ...query, text, lexical: query.lexical ?? query.text })),
})
