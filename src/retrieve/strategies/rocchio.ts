import { z } from 'zod'
import { embedQuery } from '../steps/embed.ts'
import { pool } from '../steps/params.ts'
import { moveVector } from '../steps/rocchio.ts'
import { searchDense } from '../steps/search.ts'
import { defineStrategy } from './define.ts'

/**
 * Dense search with pseudo-relevance feedback: the query's vector is moved towards its best chunks, and searched again.
 *
 *     q' = alpha * q + beta * mean of the vectors of the `top` best chunks
 *     score(chunk) = cos(q', embed(title \n text))
 *
 * The first search is that of `naive` with the same pool, and computed once.
 */
export const rocchioStrategy = defineStrategy({
  name: 'rocchio',
  summary: 'dense search with pseudo-relevance feedback: the query moves towards the best chunks',
  source: 'Rocchio, 1971; over dense vectors Li et al., TOIS 2023; defaults of Pyserini',
  params: z.strictObject({
    alpha: z.number().min(0).max(100).default(0.9).describe("weight of the query's own vector"),
    beta: z.number().min(0).max(100).default(0.1).describe("weight of the best chunks' mean vector"),
    top: z.int().min(1).max(1000).default(3).describe('how many of the best chunks are taken for relevant'),
    pool: pool(),
  }),
  retrieve({ query, params }) {
    const { alpha, beta, top, pool: depth } = params
    const vector = embedQuery([query], null)
    const best = searchDense([vector], { depth: Math.max(depth, top) })
    return { ranking: searchDense([moveVector([vector, best], { alpha, beta, top })], { depth }) }
  },
})
