import { embedder } from '../indexes/embedder.ts'
import type { Query } from '../types.ts'
import { defineStep } from './step.ts'

/** The query's text as an L2-normalised vector of the recipe's embedder; all zeros where the embedder knows no word of it. */
export const embedQuery = defineStep({
  name: 'embed-query',
  version: 1,
  artifacts: (recipe, _params: null) => ({ embedder: embedder(recipe) }),
  async run([query]: [Query], { artifacts }) {
    return artifacts.embedder.embed([query.text])
  },
})
