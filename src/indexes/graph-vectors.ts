import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { embedTexts } from './embeddings.ts'
import type { Recipe } from './recipe.ts'
import { openVectors, type VectorIndex } from './vectors.ts'

/** Texts of the graph, searchable by the vectors of `prepare.graphEmbedder` (the chunks' embedder where absent). */
export function graphVectors(
  recipe: Recipe,
  name: string,
  texts: Artifact<readonly string[]>,
): Artifact<VectorIndex> {
  return defineArtifact({
    name: 'graph_vectors',
    version: 1,
    params: null,
    inputs: { embeddings: embedTexts(recipe, name, texts, recipe.graphEmbedder ?? recipe.embedder) },
    async open(_folder, inputs) {
      const { vectors, dims } = await inputs.embeddings()
      return openVectors(vectors, dims)
    },
  })
}
