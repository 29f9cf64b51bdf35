import { entityIndex } from '../indexes/entities.ts'
import type { Recipe } from '../indexes/recipe.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = { readonly entities: number; readonly above?: number }

/**
 * The `entities` entities nearest to a vector by name and description: rows are entities, scores cosines, only those
 * strictly above `above` where given. A zero vector links nothing. Counted as `links`.
 */
export const linkEntities = defineStep<Params, [Float32Array], ReturnType<typeof needs>, Ranking>({
  name: 'link-entities',
  version: 1,
  artifacts: needs,
  counts: ({ rows }) => ({ links: rows.length }),
  runBlock(block, { params: { entities, above }, artifacts: { index } }) {
    return index.search(
      block.map(([vector]) => vector),
      entities,
      { above },
    )
  },
})

function needs(recipe: Recipe) {
  return { index: entityIndex(recipe, 'description') }
}
