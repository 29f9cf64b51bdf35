import type { SparseReset } from '../graph/pagerank/walk.ts'
import { embedder } from '../indexes/embedder.ts'
import { entityIndex } from '../indexes/entities.ts'
import { hippoGraphV1 } from '../indexes/hippo-graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { defineStep } from './step.ts'

/**
 * HippoRAG 1: each name of the query linked to the phrase nearest by embedding; the phrase's reset weight is
 * 1 / passages that hold it (node specificity). A phrase that two names reach counts once. Counted as `links`.
 */
export const linkPhrases = defineStep<null, [readonly string[]], ReturnType<typeof needs>, SparseReset>({
  name: 'link-phrases',
  version: 1,
  artifacts: needs,
  counts: ({ nodes }) => ({ links: nodes.length }),
  async runBlock(block, { artifacts: { embedder, index, graph } }) {
    const { embed, dims } = embedder
    const all = block.flatMap(([names]) => names)
    const matrix = await embed(all)
    const nearest = index.search(
      all.map((_, i) => matrix.subarray(i * dims, (i + 1) * dims)),
      1,
    )
    let next = 0
    return block.map(([names]) => {
      const found = names.flatMap(() => [...nearest[next++].rows])
      const nodes = Uint32Array.from(new Set(found))
      return {
        nodes,
        weights: Float64Array.from(nodes, (row) => 1 / Math.max(1, graph.passagesPerPhrase[row])),
      }
    })
  },
})

function needs(recipe: Recipe) {
  return {
    embedder: embedder(recipe, recipe.graphEmbedder),
    index: entityIndex(recipe, 'name'),
    graph: hippoGraphV1(recipe),
  }
}
