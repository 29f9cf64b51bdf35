import { type Bm25Params, bm25Index } from '../indexes/bm25.ts'
import { denseIndex } from '../indexes/dense.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { prior } from '../ranking/prior.ts'
import type { Query, Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = { readonly alpha: number; readonly depth: number; readonly index: Bm25Params }

/** The `depth` best of dense and lexical scores over all chunks, each min-max over all of them. */
export const rankPrior = defineStep<Params, [Float32Array, Query], ReturnType<typeof needs>, Ranking>({
  name: 'prior',
  version: 1,
  yields: 'ranking',
  artifacts: needs,
  run([vector, { text, lexical }], { params: { alpha, depth }, artifacts: { dense, bm25 } }) {
    const cosines = {
      ...dense.bounds(vector),
      exact: (rows: readonly number[]) => dense.cosines(rows, vector),
    }
    return prior(cosines, bm25.matches(lexical ?? text), alpha, depth)
  },
})

function needs(recipe: Recipe, { index }: Params) {
  return { dense: denseIndex(recipe), bm25: bm25Index(recipe, index) }
}
