import { z } from 'zod'
import { bm25Params, bm25Shape, pool } from '../../steps/params.ts'
import { searchBm25 } from '../../steps/search.ts'
import { defineStrategy } from '../define.ts'
import { expandRm3, searchTerms } from './steps.ts'

/** Feedback counts the terms of whole texts. */
const { fields: _, ...oneField } = bm25Shape

/**
 * BM25 with pseudo-relevance feedback: the best chunks' terms are added to the query, and it is searched again.
 *
 *     w(t) = originalWeight * tf(t, q) / |q| + (1 - originalWeight) * rm1(t)
 *     score(chunk) = sum over t of w(t) * BM25 of t
 *
 * The first search is that of `bm25` with the same params, and computed once.
 */
export const rm3Strategy = defineStrategy({
  name: 'rm3',
  summary: 'lexical search with pseudo-relevance feedback: BM25, then again with terms of the best chunks',
  source: 'Abdul-Jaleel et al., TREC 2004; defaults of Anserini',
  params: z.strictObject({
    top: z.int().min(1).max(1000).default(10).describe('number of best chunks assumed to be relevant'),
    terms: z
      .int()
      .min(1)
      .max(1000)
      .default(10)
      .describe('maximum number of terms of each of them, and of all'),
    originalWeight: z.number().min(0).max(1).default(0.5).describe("the query's share of the new query"),
    pool: pool(),
    ...oneField,
  }),
  retrieve({ query, params }) {
    const { top, terms, originalWeight, pool: depth } = params
    const index = bm25Params(params)
    const { k1: _, b: __, idf: ___, ...analyzer } = index
    const best = searchBm25([query], { depth: Math.max(depth, top), index })
    const expanded = expandRm3([query, best], { top, terms, originalWeight, ...analyzer })
    return { ranking: searchTerms([expanded], { depth, index }) }
  },
})
