import { cutLight, type LightSelection, type LightSides, selectLight } from '../graph/light-selection.ts'
import { evidenceTexts } from '../indexes/evidence.ts'
import { graph } from '../indexes/graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { EMPTY } from '../ranking/order.ts'
import type { Evidence, Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = {
  readonly sides: LightSides
  readonly entityTokens: number
  readonly relationshipTokens: number
}

/** LightRAG: entities and relationships of the context, from what was linked (`local`: entities; `global`: relationships; `hybrid`: both, in this order), cut at their budgets. */
export const selectLightContext = defineStep<
  Params,
  readonly Ranking[],
  ReturnType<typeof needs>,
  LightSelection
>({
  name: 'select-light',
  version: 1,
  artifacts: needs,
  run(linked, { params, artifacts: { graph, texts } }) {
    const { sides } = params
    const entities = sides === 'global' ? EMPTY : linked[0]
    const relationships = sides === 'local' ? EMPTY : linked[linked.length - 1]
    const selection = selectLight(entities.rows, relationships.rows, graph, sides)
    return cutLight(selection, texts.sizes, params.entityTokens, params.relationshipTokens)
  },
})

/** What was selected, as evidence. */
export const citeLight = defineStep<null, [LightSelection], ReturnType<typeof texts>, readonly Evidence[]>({
  name: 'cite-light',
  version: 1,
  artifacts: texts,
  run([{ entities, relationships }], { artifacts: { texts } }) {
    return [...entities.map(texts.entity), ...relationships.map(texts.relationship)]
  },
})

function needs(recipe: Recipe) {
  return { graph: graph(recipe), texts: evidenceTexts(recipe) }
}

function texts(recipe: Recipe) {
  return { texts: evidenceTexts(recipe) }
}
