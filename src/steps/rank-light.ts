import type { Recipe } from '../indexes/recipe.ts'
import { textUnits } from '../indexes/text-units.ts'
import { withinBudget } from '../ranking/budget.ts'
import { head } from '../ranking/order.ts'
import { roundRobin } from '../ranking/polling.ts'
import { rankList } from '../ranking/rank-list.ts'
import type { Evidence, Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = { readonly contextTokens: number; readonly depth: number }

/** LightRAG: lists of chunks merged round-robin, as many chunks as fit beside the evidence. */
export const rankLight = defineStep<
  Params,
  readonly [readonly Evidence[], ...Ranking[]],
  ReturnType<typeof needs>,
  Ranking
>({
  name: 'rank-light',
  version: 1,
  yields: 'ranking',
  artifacts: needs,
  run([evidence, ...rankings], { params: { contextTokens, depth }, artifacts: { chunks } }) {
    const used = evidence.reduce((sum, { tokens }) => sum + tokens, 0)
    const merged = roundRobin(rankings.map(({ rows }) => Array.from(rows))).slice(0, depth)
    return rankList(withinBudget(merged, (row) => chunks[row].tokens, contextTokens - used).rows)
  },
})

type CutParams = { readonly chunks: number; readonly above: number }

/** The first `chunks` of a dense ranking with a cosine strictly above `above`. */
export const cutDense = defineStep<CutParams, [Ranking], Record<never, never>, Ranking>({
  name: 'cut-dense',
  version: 1,
  yields: 'ranking',
  run([ranking], { params: { chunks, above } }) {
    return head(ranking, Math.min(chunks, ranking.scores.filter((score) => score > above).length))
  },
})

function needs(recipe: Recipe) {
  return { chunks: textUnits(recipe) }
}
