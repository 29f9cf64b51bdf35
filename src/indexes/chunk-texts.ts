import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { titledText } from '../text/tokenize.ts'
import type { Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'

/** What is searched and embedded of every chunk, in row order: title and text. */
export function chunkTexts(recipe: Recipe): Artifact<readonly string[]> {
  return defineArtifact({
    name: 'chunk_texts',
    version: 1,
    params: null,
    inputs: { chunks: textUnits(recipe) },
    async open(_folder, inputs) {
      return (await inputs.chunks()).map(titledText)
    },
  })
}
