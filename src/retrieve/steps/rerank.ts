import { reranker, rerankerEmbeds } from '../../corpus/reranker.ts'
import { head, rankPairs } from '../../ranking/order.ts'
import { append } from '../../ranking/rank-list.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'

/** What a reranker scores the first chunks of a ranking, in its order. */
export interface Scored {
  readonly scores: ArrayLike<number>
}

/** `by`: a name in `rerankers`, or a kind of reranker. */
type ScoreParams = { readonly by: string; readonly depth: number }

/** The scores of a reranker that computes them here. */
export const scoreCandidates = defineStep({
  name: 'score-candidates',
  version: 1,
  embeds: (recipe, { by }: ScoreParams) => rerankerEmbeds(recipe, by),
  artifacts: (recipe, { by }: ScoreParams) => ({ reranker: reranker(recipe, by) }),
  async run([query, ranking]: readonly [Query, Ranking], { params: { depth }, artifacts }): Promise<Scored> {
    const { rows } = head(ranking, depth)
    return { scores: rows.length > 0 ? await artifacts.reranker.score(query, rows) : [] }
  },
})

type CutParams = { readonly keep?: number; readonly minScore?: number }

/** The first chunks of a ranking in the order of other scores. */
export const rerankStep = defineStep<CutParams, [Ranking, Scored], Record<never, never>, Ranking>({
  name: 'rerank',
  version: 1,
  yields: 'ranking',
  run: ([ranking, { scores }], { params }) => reranked(ranking, scores, params),
})

export function reranked(
  ranking: Ranking,
  scores: ArrayLike<number>,
  { keep, minScore = Number.NEGATIVE_INFINITY }: CutParams,
): Ranking {
  const first = rankPairs(ranking.rows.subarray(0, scores.length), scores, scores.length)
  if (keep === undefined && minScore === Number.NEGATIVE_INFINITY)
    return append(first, ranking, ranking.rows.length)
  const enough = first.scores.filter((score) => score >= minScore).length
  return head(first, Math.min(enough, keep ?? enough))
}
