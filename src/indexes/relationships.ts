import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'
import type { VectorIndex } from './vectors.ts'

/** Relationships by the embedding of `keywords\tsource\ttarget\ndescription`. Row = relationship row. */
export function relationshipIndex(_recipe: Recipe): Artifact<VectorIndex> {
  throw new Error('being written')
}
