import { z } from 'zod'
import { pool } from '../steps/params.ts'
import { searchTokens } from '../steps/search-tokens.ts'
import { defineStrategy } from './define.ts'

/**
 * Late interaction as first stage: every token of the query by its nearest token of the chunk, over all chunks, exact.
 *
 *     score(chunk) = 1/|q| * sum over tokens i of q of  max over tokens j of the chunk of  cos(q_i, d_j)
 *
 * The tokens' vectors are those of `prepare.embedder` before pooling; the paper's model is trained for it, most are not.
 */
export const lateInteraction = defineStrategy({
  name: 'late-interaction',
  summary: "dense search by vectors of tokens: each of the query's by its nearest of the chunk (MaxSim)",
  source: 'Khattab and Zaharia, SIGIR 2020',
  params: z.strictObject({ pool: pool() }),
  retrieve({ query, params }) {
    return { ranking: searchTokens([query], { depth: params.pool }) }
  },
})
