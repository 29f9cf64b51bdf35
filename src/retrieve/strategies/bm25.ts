import { z } from 'zod'
import { bm25Params, bm25Shape, pool } from '../steps/params.ts'
import { searchBm25 } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

/**
 * BM25 over title and text; repeated query tokens count each time:
 *
 *     score(chunk) = sum over the query's tokens of idf(t) * tf * (k1+1) / (tf + k1 * (1 - b + b * len/avgLen))
 */
export default defineStrategy({
  name: 'bm25',
  summary: 'lexical search: chunks by BM25',
  source: 'Robertson and Zaragoza, FnTIR 2009; defaults of Anserini',
  params: z.strictObject({ pool: pool(), ...bm25Shape }),
  make: (params) => ({
    retrieve(query) {
      return { ranking: searchBm25([query], { depth: params.pool, index: bm25Params(params) }) }
    },
  }),
})
