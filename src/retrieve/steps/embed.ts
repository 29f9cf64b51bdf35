import { embedder } from '../../corpus/dense/embeddings.ts'
import type { Query } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'

/** The query's text as an L2-normalised vector of the recipe's embedder; all zeros where the embedder knows no word of it. */
export const embedQuery = defineStep({
  name: 'embed-query',
  embeds: ({ embedder }) => embedder,
  artifacts: (recipe) => ({ embedder: embedder(recipe, recipe.embedder, 'query') }),
  async runBlock(block: readonly [Query][], { artifacts }) {
    const { embed, dims } = artifacts.embedder
    const vectors = await embed(block.map(([query]) => query.text))
    return block.map((_, i) => vectors.slice(i * dims, (i + 1) * dims))
  },
})

const embedForGraph = defineStep({
  name: 'embed-graph-query',
  embeds: ({ graphEmbedder }) => graphEmbedder,
  artifacts: (recipe) => ({ embedder: embedder(recipe, recipe.graphEmbedder, 'query') }),
  async run([query]: [Query], { artifacts }) {
    return artifacts.embedder.embed([query.text])
  },
})

/** Query vector for entities, relationships, facts and reports: by the chunks' embedder unless the recipe names another. */
export function embedGraphQuery(query: Expression<Query>): Expression<Float32Array> {
  return query.recipe.graphEmbedder ? embedForGraph([query]) : embedQuery([query])
}
