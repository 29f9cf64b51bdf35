import { type Bm25Params, bm25Index } from '../indexes/bm25.ts'
import type { Recipe } from '../indexes/recipe.ts'
import type { Query, Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = { readonly depth: number; readonly index: Bm25Params }

/** The `depth` chunks with the highest BM25 for the query's lexical text. A chunk without a matching term is not in the list. */
export const searchBm25 = defineStep<Params, [Query], ReturnType<typeof needs>, Ranking>({
  name: 'bm25',
  version: 1,
  channel: 'lexical',
  yields: 'ranking',
  artifacts: needs,
  run([query], { params, artifacts }) {
    return artifacts.bm25.search(query.lexical ?? query.text, params.depth)
  },
})

function needs(recipe: Recipe, { index }: Params) {
  return { bm25: bm25Index(recipe, index) }
}
