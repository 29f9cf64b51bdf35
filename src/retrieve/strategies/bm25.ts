import { z } from 'zod'
import { bm25Params, bm25Shape, pool } from '../steps/params.ts'
import { searchBm25 } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

export default defineStrategy({
  name: 'bm25',
  summary: 'lexical search: chunks by BM25',
  source: 'Robertson and Zaragoza, FnTIR 2009; defaults of Anserini',
  params: z.strictObject({ pool: pool(), ...bm25Shape }),
  make: (params) => ({
    retrieve: (query) => ({
      ranking: searchBm25([query], { depth: params.pool, index: bm25Params(params) }),
    }),
  }),
})
