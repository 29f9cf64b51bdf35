import { communityLevel } from '../graph/report-roll.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { communitiesTable } from './communities.ts'
import type { Recipe } from './recipe.ts'

/** A level of communities that a trial asks for: opening it throws a UserError where there is no such level. Undefined where none is asked for. */
export function askedLevel(recipe: Recipe, level: number | undefined): Artifact<number> | undefined {
  if (level === undefined) return undefined
  return defineArtifact({
    name: 'community_level',
    version: 1,
    params: { level },
    inputs: { communities: communitiesTable(recipe) },
    open: async (_folder, inputs) => communityLevel(await inputs.communities(), level),
  })
}
