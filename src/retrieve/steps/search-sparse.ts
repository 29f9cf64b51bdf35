import { chunkSparse } from '../../corpus/dense/sparse.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankScores } from '../../ranking/order.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'

/** The `depth` chunks with the highest product of sparse vectors, exact. A chunk that shares no term is not in the list. */
export const searchSparse = defineStep({
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
