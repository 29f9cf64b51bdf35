import type { Reports } from '../graph/graph.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'
import type { VectorIndex } from './vectors.ts'

/** Community reports by `prepare.reports`. */
export function communityReports(_recipe: Recipe): Artifact<Reports> {
  throw new Error('being written')
}

/** Reports by the embedding of their summary. Row = report row. */
export function reportIndex(_recipe: Recipe): Artifact<VectorIndex> {
  throw new Error('being written')
}
