import type { Communities } from '../graph/graph.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'

/** Communities by `prepare.communities`. */
export function communitiesTable(_recipe: Recipe): Artifact<Communities> {
  throw new Error('being written')
}
