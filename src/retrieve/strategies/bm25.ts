import { z } from 'zod'
import { engineName, refuseAnalysis, searchBm25In } from '../steps/engine.ts'
import { bm25Params, bm25Shape, pool } from '../steps/params.ts'
import { defineStrategy } from './define.ts'

/**
 * BM25 over title and text; repeated query tokens count each time:
 *
 *     score(chunk) = sum over the query's tokens of idf(t) * tf * (k1+1) / (tf + k1 * (1 - b + b * len/avgLen))
 */
export const bm25 = defineStrategy({
  name: 'bm25',
  summary: 'lexical search: chunks by BM25',
  source: 'Robertson and Zaragoza, FnTIR 2009; defaults of Anserini',
  params: z
    .strictObject({ pool: pool(), ...bm25Shape, engine: engineName('the search') })
    .superRefine(refuseAnalysis('engine')),
  retrieve({ query, params }) {
    const { engine, pool: depth } = params
    return { ranking: searchBm25In(engine, query, depth, bm25Params(params)) }
  },
})
