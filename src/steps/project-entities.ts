import { graph } from '../indexes/graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { project } from '../ranking/project.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'
import type { Reached } from './walk-entities.ts'

export const ENTITY_PROJECTIONS = ['max', 'sum', 'spread'] as const
type Params = { readonly projection: (typeof ENTITY_PROJECTIONS)[number]; readonly depth: number }

/** The `depth` best chunks that hold scored entities, by a projection of the entities' scores. */
export const projectEntities = defineStep<Params, [Reached], ReturnType<typeof needs>, Ranking>({
  name: 'project-entities',
  version: 2,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  run([entities], { params: { projection, depth }, artifacts }) {
    return project(entities, artifacts.graph.chunksOfEntity, projection, depth)
  },
})

function needs(recipe: Recipe) {
  return { graph: graph(recipe) }
}
