import { graph } from '../indexes/graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import type { MixedItem } from '../ranking/mixed-list.ts'
import { listItems, projectItems } from '../ranking/weighted-items.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = {
  readonly entityWeight: number
  readonly projection: 'max' | 'sum' | 'spread'
  readonly depth: number
}

/** Chunks behind linked entities and relationships, by a projection of their weighted cosines. */
export const projectLinked = defineStep<Params, [Ranking, Ranking], ReturnType<typeof needs>, Ranking>({
  name: 'project-items',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  run([entities, relationships], { params: { entityWeight, projection, depth }, artifacts: { graph } }) {
    return projectItems(
      { items: entities, holders: graph.chunksOfEntity },
      { items: relationships, holders: graph.chunksOfRelationship },
      entityWeight,
      projection,
      depth,
    )
  },
})

/** The first `items` of linked entities and relationships in one list. */
export const listLinked = defineStep<
  { readonly entityWeight: number; readonly items: number },
  [Ranking, Ranking],
  Record<never, never>,
  readonly MixedItem[]
>({
  name: 'list-items',
  version: 1,
  run([entities, relationships], { params: { entityWeight, items } }) {
    return listItems(entities, relationships, entityWeight, items)
  },
})

/** Everything that was linked, as one ranking of nothing in particular: whether it is empty says whether anything was. */
export const anyLinked = defineStep<null, [Ranking, Ranking], Record<never, never>, Ranking>({
  name: 'any-linked',
  version: 1,
  run([entities, relationships]) {
    return entities.rows.length > 0 ? entities : relationships
  },
})

function needs(recipe: Recipe) {
  return { graph: graph(recipe) }
}
