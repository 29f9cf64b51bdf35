import { reranker, rerankerEmbeds } from '../../prepare/reranker.ts'
import { head, rankPairs } from '../../ranking/order.ts'
import { append } from '../../ranking/rank-list.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'

export type RerankParams = {
  /** A name in `rerankers`, or a kind of reranker. */
  readonly by: string
  readonly depth: number
  readonly keep?: number
  readonly minScore?: number
}

/** The first chunks of a ranking in the order of a reranker's scores. */
export const rerank = defineStep({
  name: 'rerank',
  version: 1,
  yields: 'ranking',
  embeds: (recipe, { by }: RerankParams) => rerankerEmbeds(recipe, by),
  artifacts: (recipe, { by }: RerankParams) => ({ reranker: reranker(recipe, by) }),
  async run([query, ranking]: readonly [Query, Ranking], { params, artifacts }) {
    const { rows } = head(ranking, params.depth)
    const scores = rows.length > 0 ? await artifacts.reranker.score(query, rows) : []
    return reranked(ranking, scores, params)
  },
})

/** `scores` are of the first rows of `ranking`, in its order. */
export function reranked(
  ranking: Ranking,
  scores: ArrayLike<number>,
  { keep, minScore = Number.NEGATIVE_INFINITY }: Pick<RerankParams, 'keep' | 'minScore'>,
): Ranking {
  const first = rankPairs(ranking.rows.subarray(0, scores.length), scores, scores.length)
  if (keep === undefined && minScore === Number.NEGATIVE_INFINITY)
    return append(first, ranking, ranking.rows.length)
  const enough = first.scores.filter((score) => score >= minScore).length
  return head(first, Math.min(enough, keep ?? enough))
}
