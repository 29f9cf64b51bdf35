import type { Embedder } from '../models/embedder.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'

export function embedder(_recipe: Recipe): Artifact<Embedder> {
  throw new Error('being written')
}
