import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { graph } from './graph.ts'
import { graphVectors } from './graph-vectors.ts'
import type { Recipe } from './recipe.ts'
import type { VectorIndex } from './vectors.ts'

/** Relationships by the embedding of `keywords\tsource\ttarget\ndescription`. Row = relationship row. */
export function relationshipIndex(recipe: Recipe): Artifact<VectorIndex> {
  const texts = defineArtifact({
    name: 'relationship_texts',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe) },
    async open(_folder, inputs) {
      const { entities, relationships } = await inputs.graph()
      const { sources, targets, keywords, descriptions } = relationships
      const name = (row: number) => entities.names[row]
      return keywords.map(
        (words, row) => `${words}\t${name(sources[row])}\t${name(targets[row])}\n${descriptions[row]}`,
      )
    },
  })
  return graphVectors(recipe, 'relationships', texts)
}
