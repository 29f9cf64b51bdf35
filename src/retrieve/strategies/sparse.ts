import { z } from 'zod'
import { chunkSparse } from '../../corpus/dense/sparse.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankScores } from '../../ranking/order.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { pool } from '../steps/params.ts'
import { defineStrategy } from './define.ts'

/** The `depth` chunks with the highest product of sparse vectors, exact. A chunk that shares no term is not in the list. */
const searchSparse = defineStep({
  name: 'sparse',
  version: 1,
  channel: 'lexical',
  yields: 'ranking',
  within: true,
  artifacts: (recipe, _params: { readonly depth: number }) => ({ sparse: chunkSparse(recipe) }),
  async run([query, mask]: readonly [Query, Mask?], { params: { depth }, artifacts: { sparse } }) {
    const scores = sparse.scores(await sparse.encode(query.text))
    return rankScores(scores, depth, { above: 0, within: mask?.kept })
  },
})

/**
 * Learned sparse retrieval: query and chunk are weights of words, of ones that they do not hold too.
 *
 *     score(chunk) = sum over words w of weight(w, query) * weight(w, chunk)
 *
 * `prepare.sparse` names the encoder of the weights.
 */
export const sparse = defineStrategy({
  name: 'sparse',
  summary: 'learned sparse vectors (SPLADE): weights of words, including words that a text lacks',
  source: 'Formal et al., SIGIR 2021',
  params: z.strictObject({ pool: pool() }),
  retrieve({ query, params }) {
    return { ranking: searchSparse([query], { depth: params.pool }) }
  },
})
