import type { Embedder } from '../models/embedder.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Choice, Recipe } from './recipe.ts'

/** The recipe's embedder (or another choice, fitted on the same chunks), with its vectors kept by content. */
export function embedder(_recipe: Recipe, _choice?: Choice): Artifact<Embedder> {
  throw new Error('being written')
}
