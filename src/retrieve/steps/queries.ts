import { EMPTY_RANKING } from '../../ranking/order.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'

/** One of these queries; the question itself where there are fewer. */
export const queryAt = defineStep<{ readonly index: number }, [Query, readonly string[]], Query>({
  name: 'query-at',
  yields: 'query',
  run: ([query, queries], { params: { index } }) =>
    queries[index] === undefined ? query : { id: query.id, text: queries[index], metadata: query.metadata },
})

/** The ranking for one of these queries; the second input, an empty one, where there are fewer. */
export const rankingAt = defineStep<
  { readonly index: number },
  [readonly string[], Ranking, Ranking],
  Ranking
>({
  name: 'ranking-at',
  yields: 'ranking',
  pick: (queries, { index }) => (queries[index] === undefined ? 1 : 0),
})

export const noRanking = defineStep<null, [unknown], Ranking>({
  name: 'no-ranking',
  run: () => EMPTY_RANKING,
})
