import { type Bm25Params, bm25Index } from '../../prepare/bm25.ts'
import { denseIndex } from '../../prepare/dense.ts'
import type { Aligned } from '../../ranking/fuse.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'

const textOf = ({ lexical, text }: Query) => lexical ?? text

/** The `depth` chunks with the highest BM25 for the query's lexical text. A chunk without a matching term is not in the list. */
export const searchBm25 = defineStep({
  name: 'bm25',
  version: 2,
  channel: 'lexical',
  yields: 'ranking',
  artifacts: (recipe, { index }: { readonly depth: number; readonly index: Bm25Params }) => ({
    bm25: bm25Index(recipe, index),
  }),
  run: ([query]: readonly [Query], { params, artifacts: { bm25 } }) =>
    bm25.searchWithExtremes(textOf(query), params.depth),
})

/** The BM25 of a union's rows, for `complete`. */
export const scoreBm25 = defineStep({
  name: 'score-bm25',
  version: 1,
  artifacts: (recipe, { index }: { readonly index: Bm25Params }) => ({ bm25: bm25Index(recipe, index) }),
  run: ([query, { rows }]: readonly [Query, Aligned], { artifacts: { bm25 } }) =>
    bm25.scores(textOf(query), rows),
})

/** The `depth` chunks nearest to a query vector by cosine, exact. Scores are cosines. A zero vector finds nothing. */
export const searchDense = defineStep({
  name: 'dense',
  version: 2,
  channel: 'dense',
  yields: 'ranking',
  artifacts: (recipe, _params: { readonly depth: number }) => ({ dense: denseIndex(recipe) }),
  runBlock(block: readonly (readonly [Float32Array])[], { params: { depth }, artifacts: { dense } }) {
    return dense.searchWithMin(block.flat(), depth).map(({ ranking, min }) => {
      const max = ranking.scores.length > 0 ? ranking.scores[0] : 0
      const extremes = dense.zeroRows ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
      return { ...ranking, extremes }
    })
  },
})

/** The cosines of a union's rows, for `complete`. */
export const scoreDense = defineStep({
  name: 'score-dense',
  version: 1,
  artifacts: (recipe, _params: null) => ({ dense: denseIndex(recipe) }),
  run: ([vector, { rows }]: readonly [Float32Array, Aligned], { artifacts: { dense } }) =>
    Float64Array.from(dense.cosines(rows, vector)),
})
