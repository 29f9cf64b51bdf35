import type { TitleGraph } from '../graph/graph.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'

/** Title PPR's graph: passages that mention another passage's title. */
export function titleLinks(_recipe: Recipe): Artifact<TitleGraph> {
  throw new Error('being written')
}
