import { embedder } from '../indexes/embedder.ts'
import type { Query } from '../types.ts'
import { embedQuery } from './embed-query.ts'
import { defineStep, type Expression } from './step.ts'

const embed = defineStep({
  name: 'embed-graph-query',
  version: 1,
  artifacts: (recipe, _params: null) => ({ embedder: embedder(recipe, recipe.graphEmbedder) }),
  async run([query]: [Query], { artifacts }) {
    return artifacts.embedder.embed([query.text])
  },
})

/** The query as a vector beside those of entities, relationships, facts and reports: the chunks' embedder unless the recipe names another. */
export function embedGraphQuery(query: Expression<Query>): Expression<Float32Array> {
  return query.recipe.graphEmbedder ? embed([query], null) : embedQuery([query], null)
}
