import { z } from 'zod'
import { chunkTokens } from '../../corpus/chunks/tokens.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, rankScores } from '../../ranking/order.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { pool } from '../steps/params.ts'
import { defineStrategy } from './define.ts'

/** The `depth` chunks with the highest MaxSim to the query, exact. */
const searchTokens = defineStep({
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

/**
 * Late interaction as first stage: every token of the query by its nearest token of the chunk, over all chunks, exact.
 *
 *     score(chunk) = 1/|q| * sum over tokens i of q of  max over tokens j of the chunk of  cos(q_i, d_j)
 *
 * The tokens' vectors are those of `prepare.embedder` before pooling; the paper's model is trained for it, most are not.
 */
export const lateInteraction = defineStrategy({
  name: 'late-interaction',
  summary:
    'dense search by token vectors: each token of the query with its nearest token of the chunk (MaxSim)',
  source: 'Khattab and Zaharia, SIGIR 2020',
  params: z.strictObject({ pool: pool() }),
  retrieve({ query, params }) {
    return { ranking: searchTokens([query], { depth: params.pool }) }
  },
})
