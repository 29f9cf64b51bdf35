import { z } from 'zod'
import { denseIndex } from '../../corpus/dense/dense.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { embedQuery } from '../steps/embed.ts'
import { pool } from '../steps/params.ts'
import { searchDense } from '../steps/search.ts'
import { defineStrategy } from './define.ts'

type RocchioParams = { readonly alpha: number; readonly beta: number; readonly top: number }

/** The query's vector, moved towards those of its best chunks. */
const moveVector = defineStep({
  name: 'rocchio',
  version: 1,
  artifacts: (recipe, _params: RocchioParams) => ({ dense: denseIndex(recipe) }),
  run([vector, best]: readonly [Float32Array, Ranking], { params, artifacts: { dense } }) {
    const rows = [...best.rows.subarray(0, params.top)]
    return rocchioVector(
      vector,
      rows.map((row) => dense.vector(row)),
      params,
    )
  },
})

/**
 * Rocchio's query (1971) over dense vectors (Li et al., TOIS 2023), without its part for what is not relevant:
 *
 *     q' = alpha * q + beta * mean of the vectors of the `top` best chunks
 *
 * L2-normalised, since cosines are compared; sums in float64, in the order of ranks. Where nothing was found, q' is q.
 */
export function rocchioVector(
  query: Float32Array,
  best: readonly Float32Array[],
  { alpha, beta }: Pick<RocchioParams, 'alpha' | 'beta'>,
): Float32Array {
  if (best.length === 0) return query
  const moved = Float64Array.from(query, (value, dim) => {
    let sum = 0
    for (const vector of best) sum += vector[dim]
    return alpha * value + (beta * sum) / best.length
  })
  const length = Math.sqrt(moved.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(moved, (value) => (length === 0 ? 0 : value / length))
}

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
    top: z.int().min(1).max(1000).default(3).describe('number of best chunks assumed to be relevant'),
    pool: pool(),
  }),
  retrieve({ query, params }) {
    const { alpha, beta, top, pool: depth } = params
    const vector = embedQuery([query], null)
    const best = searchDense([vector], { depth: Math.max(depth, top) })
    return { ranking: searchDense([moveVector([vector, best], { alpha, beta, top })], { depth }) }
  },
})
