import { type Bm25Params, bm25Index } from '../indexes/bm25.ts'
import type { Query } from '../types.ts'
import { defineStep } from './step.ts'

/** The `depth` chunks with the highest BM25 for the query's lexical text. A chunk without a matching term is not in the list. */
export const searchBm25 = defineStep({
  name: 'bm25',
  version: 1,
  channel: 'lexical',
  yields: 'ranking',
  artifacts: (recipe, { index }: { depth: number; index: Bm25Params }) => ({ bm25: bm25Index(recipe, index) }),
  run([query]: [Query], { params, artifacts }) {
    return artifacts.bm25.search(query.lexical ?? query.text, params.depth)
  },
})
