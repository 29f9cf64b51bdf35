import { rewriteByModel } from '../steps/asking.ts'
import { defineQueryTransform } from './index.ts'

export default defineQueryTransform({
  name: 'rewrite',
  summary: 'a model rewrites the question; all searches read the new text',
  source: 'Ma et al., Query Rewriting in Retrieval-Augmented Large Language Models (EMNLP 2023)',
  ...rewriteByModel('rewrite', ({ id, metadata }, text) => ({ id, text, metadata })),
})
