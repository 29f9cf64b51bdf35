import { z } from 'zod'
import { BM25, pool } from '../../steps/params.ts'
import { searchBm25 } from '../../steps/search.ts'
import { defineStrategy } from '../define.ts'
import { expandRm3, FEEDBACK, searchTerms } from './steps.ts'

/**
 * BM25 with pseudo-relevance feedback: the best chunks' terms are added to the query, and it is searched again.
 *
 *     w(t) = originalWeight * tf(t, q) / |q| + (1 - originalWeight) * rm1(t)
 *     score(chunk) = sum over t of w(t) * BM25 of t
 *
 * The first search is that of `bm25` with its defaults, and computed once.
 */
export const rm3Strategy = defineStrategy({
  name: 'rm3',
  summary: 'lexical search with pseudo-relevance feedback: BM25, then again with terms of the best chunks',
  source: 'Abdul-Jaleel et al., TREC 2004; defaults of Anserini',
  params: z.strictObject({
    terms: z
      .int()
      .min(1)
      .max(1000)
      .default(10)
      .describe('maximum number of terms of each of them, and of all'),
    originalWeight: z.number().min(0).max(1).default(0.5).describe("the query's share of the new query"),
    pool: pool(),
  }),
  retrieve({ query, params }) {
    const { terms, originalWeight, pool: depth } = params
    const best = searchBm25([query], { depth: Math.max(depth, FEEDBACK), index: BM25 })
    const expanded = expandRm3([query, best], { terms, originalWeight })
    return { ranking: searchTerms([expanded], { depth }) }
  },
})
