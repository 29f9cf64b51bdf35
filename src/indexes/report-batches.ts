import { communityLevel } from '../graph/report-roll.ts'
import { createRandom, shuffle } from '../statistics/random.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { communitiesTable } from './communities.ts'
import type { Recipe } from './recipe.ts'
import { communityReports } from './reports.ts'

/** Report rows in batches that fit into one call each. */
export type Batches = readonly (readonly number[])[]

/**
 * Every report down to a level of communities (0 is the coarsest), shuffled by `seed`, in batches of at most `tokens`.
 * Throws a UserError where the level does not exist.
 */
export function reportBatches(
  recipe: Recipe,
  params: { readonly communityLevel?: number; readonly tokens: number; readonly seed: number },
): Artifact<Batches> {
  return defineArtifact({
    name: 'report_batches',
    version: 1,
    params,
    inputs: { reports: communityReports(recipe), communities: communitiesTable(recipe) },
    async open(_folder, inputs) {
      const reports = await inputs.reports()
      const communities = await inputs.communities()
      const level = communityLevel(communities, params.communityLevel)
      const rows = Array.from({ length: reports.size }, (_, row) => row)
      const read = rows.filter((row) => communities.levels[reports.communities[row]] <= level)
      return batchReports(shuffle(read, createRandom(params.seed)), reports.tokens, params.tokens)
    },
  })
}

/** Consecutive rows in batches of at most `budget` tokens; a report longer than that makes a batch of its own. */
export function batchReports(rows: readonly number[], tokens: ArrayLike<number>, budget: number): Batches {
  const batches: number[][] = []
  let left = 0
  for (const row of rows) {
    if (batches.length === 0 || tokens[row] > left) {
      batches.push([])
      left = budget
    }
    batches[batches.length - 1].push(row)
    left -= tokens[row]
  }
  return batches
}
