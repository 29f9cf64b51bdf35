import { hippoReset } from '../graph/hippo-reset.ts'
import { blockPower } from '../graph/pagerank/block.ts'
import type { SparseReset } from '../graph/pagerank/walk.ts'
import { denseIndex } from '../indexes/dense.ts'
import { hippoGraph } from '../indexes/hippo-graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { EMPTY } from '../ranking/order.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = { readonly damping: number; readonly passageWeight: number; readonly depth: number }

/**
 * HippoRAG 2: the `depth` passages with the highest personalised PageRank over phrases and passages, from the phrases'
 * weights and every passage's cosine. Where no phrase has weight nothing is walked, and nothing is found.
 */
export const walkHippo = defineStep<Params, [SparseReset, Float32Array], ReturnType<typeof needs>, Ranking>({
  name: 'hippo-walk',
  version: 6,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  runBlock(block, { params: { damping, passageWeight, depth }, artifacts: { graph, dense } }) {
    const { phrases, passages, start, walk } = graph
    const walked = block.filter(([{ nodes }]) => nodes.length > 0)
    const cosines = dense.scores(walked.map(([, vector]) => vector))
    const resets = walked.map(([weights], i) => hippoReset(weights, cosines[i], passageWeight))
    const options = {
      damping,
      from: phrases,
      to: phrases + passages,
      depth: Math.min(depth, passages),
      start,
    }
    const rankings = blockPower(walk, resets, options)
    let next = 0
    return block.map(([{ nodes }]) => (nodes.length > 0 ? rankings[next++] : EMPTY))
  },
})

function needs(recipe: Recipe) {
  return { graph: hippoGraph(recipe), dense: denseIndex(recipe) }
}
