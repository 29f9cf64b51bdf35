import { z } from 'zod'
import { denseIndex } from '../../corpus/dense/dense.ts'
import { normalize } from '../../ranking/normalize.ts'
import { append, head, rankList } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { share } from '../steps/params.ts'
import { defineRankingTransform } from './index.ts'

type Params = { readonly relevance: number }

const TOP = 20

const reorder = defineStep({
  name: 'diversify',
  yields: 'ranking',
  artifacts: (recipe, _: Params) => ({ dense: denseIndex(recipe) }),
  run([ranking]: [Ranking], { params: { relevance }, artifacts: { dense } }): Ranking {
    const first = head(ranking, TOP)
    const vectors = Array.from(first.rows, (row) => dense.vector(row))
    const chosen = mmr(normalize(first, 'minmax'), vectors, relevance)
    const reordered = rankList(chosen.map((i) => first.rows[i]))
    return append(reordered, ranking, ranking.rows.length)
  },
})

/** Indexes in the order in which maximal marginal relevance takes them; of equal ones the earlier i. */
export function mmr(scores: Float64Array, vectors: readonly Float32Array[], relevance: number): number[] {
  const left = new Set(scores.keys())
  const nearest = new Float64Array(scores.length)
  const chosen: number[] = []
  while (left.size > 0) {
    let best = -1
    let bestValue = Number.NEGATIVE_INFINITY
    for (const i of left) {
      const value = relevance * scores[i] - (1 - relevance) * nearest[i]
      if (value > bestValue) {
        best = i
        bestValue = value
      }
    }
    left.delete(best)
    chosen.push(best)
    for (const i of left) {
      const cosine = dot(vectors[i], vectors[best])
      nearest[i] = chosen.length === 1 ? cosine : Math.max(nearest[i], cosine)
    }
  }
  return chosen
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/** Next is the chunk with the greatest relevance * minmax(score) - (1 - relevance) * greatest cosine to a chosen one. */
export default defineRankingTransform({
  name: 'diversify',
  summary: 'lowers chunks that repeat those above them (MMR)',
  source: 'Carbonell and Goldstein, SIGIR 1998',
  params: z.strictObject({
    relevance: share(
      0.7,
      'weight of the score, min-max scaled over the first 20 chunks; the rest weighs the greatest cosine to a chunk above',
    ),
  }),
  make: (params) => ({ rank: (ranking) => reorder([ranking], params) }),
})
