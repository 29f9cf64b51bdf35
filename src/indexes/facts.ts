import type { Facts } from '../graph/graph.ts'
import { factText } from '../graph/merge-facts.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { extraction, graph } from './graph.ts'
import { graphVectors } from './graph-vectors.ts'
import type { Recipe } from './recipe.ts'
import type { VectorIndex } from './vectors.ts'

/** HippoRAG's distinct facts. */
export function factsTable(recipe: Recipe): Artifact<Facts> {
  return defineArtifact({
    name: 'facts',
    version: 1,
    params: null,
    inputs: { extracted: extraction(recipe), graph: graph(recipe) },
    async open(_folder, inputs) {
      const { subjects, predicates, objects, counts } = await (await inputs.extracted()).facts()
      const { keys } = (await inputs.graph()).entities
      const texts = predicates.map((predicate, row) =>
        factText(keys[subjects[row]], predicate, keys[objects[row]]),
      )
      return { size: texts.length, subjects, objects, texts, counts }
    },
  })
}

/** Facts by the embedding of `subject predicate object`. Row = fact row. */
export function factIndex(recipe: Recipe): Artifact<VectorIndex> {
  const texts = defineArtifact({
    name: 'fact_texts',
    version: 1,
    params: null,
    inputs: { facts: factsTable(recipe) },
    open: async (_folder, inputs) => (await inputs.facts()).texts,
  })
  return graphVectors(recipe, 'facts', texts)
}
