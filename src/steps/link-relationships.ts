import type { Recipe } from '../indexes/recipe.ts'
import { relationshipIndex } from '../indexes/relationships.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = { readonly relationships: number; readonly above?: number }

/**
 * The `relationships` relationships nearest to a vector: rows are relationships, scores cosines, only those strictly
 * above `above` where given. A zero vector links nothing. Counted as `links`.
 */
export const linkRelationships = defineStep<Params, [Float32Array], ReturnType<typeof needs>, Ranking>({
  name: 'link-relationships',
  version: 1,
  artifacts: needs,
  counts: ({ rows }) => ({ links: rows.length }),
  runBlock(block, { params: { relationships, above }, artifacts: { index } }) {
    return index.search(
      block.map(([vector]) => vector),
      relationships,
      { above },
    )
  },
})

function needs(recipe: Recipe) {
  return { index: relationshipIndex(recipe) }
}
