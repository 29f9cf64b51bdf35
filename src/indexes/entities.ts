import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'
import type { VectorIndex } from './vectors.ts'

/** Entities by the embedding of their name alone (HippoRAG) or of `name\ndescription` (GraphRAG, LightRAG). Row = entity row. */
export function entityIndex(_recipe: Recipe, _text: 'name' | 'description'): Artifact<VectorIndex> {
  throw new Error('being written')
}
