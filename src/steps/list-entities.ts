import { membersOf } from '../graph/incidence.ts'
import { evidenceTexts } from '../indexes/evidence.ts'
import { graph } from '../indexes/graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { chunksOfList, hippoList } from '../ranking/mixed-list.ts'
import type { Evidence, Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = { readonly items: number }

/** The chunks in the seed's one list of ranked entities and chunks, cut at `items` (projection `constant`). */
export const listEntities = defineStep<Params, [Ranking], ReturnType<typeof needs>, Ranking>({
  name: 'list-entities',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  run([entities], { params: { items }, artifacts: { graph } }) {
    const list = hippoList(entities.rows, (entity) => membersOf(graph.chunksOfEntity, entity), items)
    return chunksOfList(list, items)
  },
})

/** The first `items` of ranked entities as evidence. */
export const citeEntities = defineStep<Params, [Ranking], ReturnType<typeof texts>, readonly Evidence[]>({
  name: 'cite-entities',
  version: 1,
  artifacts: texts,
  run([{ rows }], { params: { items }, artifacts }) {
    return Array.from(rows.subarray(0, items), (row) => artifacts.texts.entity(row))
  },
})

function needs(recipe: Recipe) {
  return { graph: graph(recipe) }
}

function texts(recipe: Recipe) {
  return { texts: evidenceTexts(recipe) }
}
