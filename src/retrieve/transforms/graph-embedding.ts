import { z } from 'zod'
import { chunkPlaces, type Node2vecOptions } from '../../corpus/graph/node2vec.ts'
import { normalize } from '../../ranking/normalize.ts'
import { rankPairs } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { count, weight } from '../steps/params.ts'
import { defineRankingTransform } from './index.ts'

type Params = Pick<Node2vecOptions, 'walks' | 'p' | 'q' | 'seed'> & { readonly weight: number }

/** Length of a vector, nodes of a walk, and distance in a walk of two nodes that count as neighbours. */
const SHAPE = { dims: 64, length: 40, window: 5 }
const TOP = 3

const rerankByPlace = defineStep({
  name: 'graph-embedding',
  yields: 'ranking',
  artifacts: (recipe, { walks, p, q, seed }: Params) => ({
    vectors: chunkPlaces(recipe, { ...SHAPE, walks, p, q, seed }),
  }),
  base: ([ranking]: [Ranking]) => ({ rows: ranking.rows, scores: normalize(ranking, 'minmax') }),
  run: ([ranking]: [Ranking], { params, artifacts: { vectors } }) =>
    nearFirst(ranking, vectors, { dims: SHAPE.dims, top: TOP, weight: params.weight }),
})

export function nearFirst(
  ranking: Ranking,
  vectors: Float32Array,
  { dims, top, weight }: { readonly dims: number; readonly top: number; readonly weight: number },
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

export default defineRankingTransform({
  name: 'graph-embedding',
  summary: 'raises chunks near the best ones in the graph, by node2vec vectors',
  source: 'seed document 000; Grover and Leskovec, KDD 2016',
  params: z.strictObject({
    weight: weight(0.2, 'added for a cosine of 1, to a score from 0 to 1', 100),
    walks: count(10, 'walks from each node of the graph'),
    p: z.number().min(0.001).max(1000).default(1).describe('the higher, the less a walk turns back'),
    q: z
      .number()
      .min(0.001)
      .max(1000)
      .default(1)
      .describe('the higher, the less a walk leaves the neighbourhood'),
    seed: z.int().min(0).default(0).describe('seed of the walks and of the training'),
  }),
  make: (params) => ({ rank: (ranking) => rerankByPlace([ranking], params) }),
})
