import { rewriteByModel } from '../steps/asking.ts'
import { defineQueryTransform } from './index.ts'

/** One passage; the paper (Gao et al., ACL 2023) averages the vectors of several and the question's. */
export default defineQueryTransform({
  name: 'hyde',
  summary: 'dense search for passages near one that a model wrote to answer the question',
  source: 'Gao et al. 2023',
  ...rewriteByModel('hyde', (query, text) => ({ ...query, text, lexical: query.lexical ?? query.text })),
})
