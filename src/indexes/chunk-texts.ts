import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'

/** What is searched and embedded of a chunk: title, newline, text; the one alone where the other is empty. */
export function passageText({ title, text }: { readonly title: string; readonly text: string }): string {
  return title && text ? `${title}\n${text}` : title || text
}

/** The passage text of every chunk, in row order. */
export function chunkTexts(recipe: Recipe): Artifact<readonly string[]> {
  return defineArtifact({
    name: 'chunk_texts',
    version: 1,
    params: null,
    inputs: { chunks: textUnits(recipe) },
    async open(_folder, inputs) {
      return (await inputs.chunks()).map(passageText)
    },
  })
}
