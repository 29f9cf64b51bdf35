import { rewriteByModel } from '../steps/asking.ts'
import { defineQueryTransform } from './index.ts'

/** Repetitions of the query before the passage, for lexical search: n of the paper. */
const COPIES = 5

/**
 * Lexical search reads the query n = 5 times before the passage, so that its terms keep their weight: q+ = (q x n) d'
 * (Wang et al., EMNLP 2023).
 */
export default defineQueryTransform({
  name: 'query2doc',
  summary: 'expands the query by a passage that a model wrote after examples',
  source: 'Wang et al. 2023',
  ...rewriteByModel('query2doc', (query, text) => ({
    ...query,
    text: `${query.text} ${text}`,
    lexical: [...new Array<string>(COPIES).fill(query.lexical ?? query.text), text].join(' '),
  })),
})
