import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { chunkTexts } from './chunk-texts.ts'
import { embedTexts } from './embeddings.ts'
import type { Recipe } from './recipe.ts'
import { openVectors, type VectorIndex } from './vectors.ts'

/** The chunks' vectors, searchable: exact cosine. Nothing is kept beside the embeddings: opening takes well under a second. */
export function denseIndex(recipe: Recipe): Artifact<VectorIndex> {
  return defineArtifact({
    name: 'dense',
    version: 1,
    params: null,
    inputs: { embeddings: embedTexts(recipe, 'chunks', chunkTexts(recipe)) },
    async open(_folder, inputs) {
      const { vectors, dims } = await inputs.embeddings()
      return openVectors(vectors, dims)
    },
  })
}
