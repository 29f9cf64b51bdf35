import type { Facts } from '../graph/graph.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'
import type { VectorIndex } from './vectors.ts'

/** HippoRAG's distinct facts. */
export function factsTable(_recipe: Recipe): Artifact<Facts> {
  throw new Error('being written')
}

/** Facts by the embedding of `subject predicate object`. Row = fact row. */
export function factIndex(_recipe: Recipe): Artifact<VectorIndex> {
  throw new Error('being written')
}
