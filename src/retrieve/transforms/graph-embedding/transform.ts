import { z } from 'zod'
import type { Recipe } from '../../../corpus/recipe.ts'
import { normalize } from '../../../ranking/normalize.ts'
import { rankPairs } from '../../../ranking/order.ts'
import type { Ranking } from '../../../types.ts'
import { defineStep } from '../../step.ts'
import { defineRankingTransform } from '../define.ts'
import type { Node2vecOptions } from './node2vec.ts'
import { chunkPlaces } from './node2vec.ts'

type Params = Node2vecOptions & { readonly top: number; readonly weight: number }

const rerankByPlace = defineStep<Params, [Ranking], ReturnType<typeof needs>, Ranking>({
  name: 'graph-embedding',
  version: 1,
  yields: 'ranking',
  artifacts: needs,
  base: ([ranking]) => ({ rows: ranking.rows, scores: normalize(ranking, 'minmax') }),
  run: ([ranking], { params, artifacts: { vectors } }) => nearFirst(ranking, vectors, params),
})

/** The ranking by minmax(score) + weight * cosine to the mean of the `top` first chunks' vectors. */
export function nearFirst(
  ranking: Ranking,
  vectors: Float32Array,
  { dims, top, weight }: Pick<Params, 'dims' | 'top' | 'weight'>,
): Ranking {
  const middle = new Float64Array(dims)
  const place = (row: number) => vectors.subarray(row * dims, (row + 1) * dims)
  for (const row of ranking.rows.subarray(0, top)) {
    const vector = place(row)
    for (let i = 0; i < dims; i++) middle[i] += vector[i]
  }
  const length = Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0))
  const scores = normalize(ranking, 'minmax')
  const moved = Float64Array.from(ranking.rows, (row, rank) => {
    if (length === 0) return scores[rank]
    const vector = place(row)
    let product = 0
    for (let i = 0; i < dims; i++) product += middle[i] * vector[i]
    return scores[rank] + (weight * product) / length
  })
  return rankPairs(ranking.rows, moved, ranking.rows.length)
}

/**
 * Reorders a ranking by the graph's neighbourhoods of its chunks: minmax(score) + `weight` times the cosine between a chunk's
 * node2vec vector and the mean vector of the `top` best chunks. It brings nothing in.
 */
export const graphEmbedding = defineRankingTransform({
  kind: 'ranking',
  name: 'graph-embedding',
  summary: 'raises chunks near the best ones in the graph, by node2vec vectors',
  source: 'seed document 000; Grover and Leskovec, KDD 2016',
  params: z.strictObject({
    top: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe('number of best chunks whose mean vector the others are compared with'),
    weight: z
      .number()
      .min(0)
      .max(100)
      .default(0.2)
      .describe('added for a cosine of 1, to a score from 0 to 1'),
    dims: z.int().min(2).max(1024).default(64).describe('length of a vector'),
    walks: z.int().min(1).max(1000).default(10).describe('walks from each node of the graph'),
    length: z.int().min(2).max(1000).default(40).describe('nodes of a walk'),
    window: z
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe('maximum distance in a walk of two nodes that count as neighbours'),
    p: z.number().min(0.001).max(1000).default(1).describe('the higher, the less a walk turns back'),
    q: z
      .number()
      .min(0.001)
      .max(1000)
      .default(1)
      .describe('the higher, the less a walk leaves the neighbourhood'),
    seed: z.int().min(0).default(0).describe('seed of the walks and of the training'),
  }),
  apply: ({ ranking, params }) => rerankByPlace([ranking], params),
})

function needs(recipe: Recipe, { top: _, weight: __, ...options }: Params) {
  return { vectors: chunkPlaces(recipe, options) }
}
