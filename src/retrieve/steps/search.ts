import { type Bm25Params, bm25Index } from '../../prepare/bm25.ts'
import { denseIndex } from '../../prepare/dense.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'

/** The `depth` chunks with the highest BM25 for the query's lexical text. A chunk without a matching term is not in the list. */
export const searchBm25 = defineStep({
  name: 'bm25',
  version: 1,
  channel: 'lexical',
  yields: 'ranking',
  artifacts: (recipe, { index }: { readonly depth: number; readonly index: Bm25Params }) => ({
    bm25: bm25Index(recipe, index),
  }),
  run([query]: readonly [Query], { params, artifacts }) {
    return artifacts.bm25.search(query.lexical ?? query.text, params.depth)
  },
})

/** The `depth` chunks nearest to a query vector by cosine, exact. Scores are cosines. A zero vector finds nothing. */
export const searchDense = defineStep({
  name: 'dense',
  version: 1,
  channel: 'dense',
  yields: 'ranking',
  artifacts: (recipe, _params: { readonly depth: number }) => ({ dense: denseIndex(recipe) }),
  runBlock(block: readonly (readonly [Float32Array])[], { params, artifacts }) {
    return artifacts.dense.search(block.flat(), params.depth)
  },
})
