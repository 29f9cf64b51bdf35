import { phraseWeights } from '../graph/hippo-reset.ts'
import type { SparseReset } from '../graph/pagerank/walk.ts'
import { factsTable } from '../indexes/facts.ts'
import { hippoGraph } from '../indexes/hippo-graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

/** HippoRAG 2: the reset weights of the `phrases` best phrases of the linked facts. */
export const weighPhrases = defineStep<{ phrases: number }, [Ranking], ReturnType<typeof needs>, SparseReset>(
  {
    name: 'weigh-phrases',
    version: 1,
    artifacts: needs,
    run([facts], { params, artifacts: { table, graph } }) {
      return phraseWeights(facts, table, graph.passagesPerPhrase, params.phrases)
    },
  },
)

function needs(recipe: Recipe) {
  return { table: factsTable(recipe), graph: hippoGraph(recipe) }
}
