import { embedder } from '../indexes/embedder.ts'
import type { Query } from '../types.ts'
import { defineStep } from './step.ts'

/** The query's text as an L2-normalised vector of the recipe's embedder; all zeros where the embedder knows no word of it. */
export const embedQuery = defineStep<null, [Query], ReturnType<typeof needs>, Float32Array>({
  name: 'embed-query',
  version: 1,
  artifacts: needs,
  async runBlock(block, { artifacts }) {
    const { embed, dims } = artifacts.embedder
    const vectors = await embed(block.map(([query]) => query.text))
    return block.map((_, place) => vectors.slice(place * dims, (place + 1) * dims))
  },
})

function needs(recipe: Parameters<typeof embedder>[0]) {
  return { embedder: embedder(recipe) }
}
