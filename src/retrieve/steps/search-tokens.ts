import { chunkTokens } from '../../corpus/chunks/tokens.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, rankScores } from '../../ranking/order.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'

/** The `depth` chunks with the highest MaxSim to the query, exact. */
export const searchTokens = defineStep({
  name: 'late-interaction',
  version: 1,
  channel: 'dense',
  yields: 'ranking',
  within: true,
  artifacts: (recipe, _params: { readonly depth: number }) => ({ tokens: chunkTokens(recipe) }),
  async run([query, mask]: readonly [Query, Mask?], { params: { depth }, artifacts: { tokens } }) {
    const vectors = await tokens.embed(query.text)
    // Nothing to look for.
    if (vectors.length === 0) return EMPTY_RANKING
    return rankScores(tokens.scores(vectors), depth, { within: mask?.kept })
  },
})
