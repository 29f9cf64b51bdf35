import { cutLight, type LightSelection, type LightSides, selectLight } from '../graph/light-selection.ts'
import { evidenceTexts } from '../indexes/evidence.ts'
import { graph } from '../indexes/graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import type { Evidence, Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = {
  readonly sides: LightSides
  readonly entityTokens: number
  readonly relationshipTokens: number
}

/** LightRAG: entities and relationships of the context, from linked entities and linked relationships, cut at their budgets. */
export const selectLightContext = defineStep<
  Params,
  [Ranking, Ranking],
  ReturnType<typeof needs>,
  LightSelection
>({
  name: 'select-light',
  version: 1,
  artifacts: needs,
  run([entities, relationships], { params, artifacts: { graph, texts } }) {
    const sizes = {
      entity: (row: number) => texts.entity(row).tokens,
      relationship: (row: number) => texts.relationship(row).tokens,
    }
    const selection = selectLight(entities.rows, relationships.rows, graph, params.sides)
    return cutLight(selection, sizes, params.entityTokens, params.relationshipTokens)
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
