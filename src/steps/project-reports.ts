import type { Communities, Reports } from '../graph/graph.ts'
import { communitiesTable } from '../indexes/communities.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { communityReports } from '../indexes/reports.ts'
import { EMPTY } from '../ranking/order.ts'
import { type Holders, project } from '../ranking/project.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

export const REPORT_PROJECTIONS = ['share', 'max', 'sum', 'spread'] as const
type Params = { readonly projection: (typeof REPORT_PROJECTIONS)[number]; readonly depth: number }

/** The `depth` best chunks behind scored reports: by default score x share of the community's entities in the chunk. */
export const projectReports = defineStep<Params, [Ranking], ReturnType<typeof needs>, Ranking>({
  name: 'project-reports',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  run([reports], { params: { projection, depth }, artifacts: { holders } }) {
    return project(reports, holders, projection, depth)
  },
})

/** The seed's own list holds reports only (projection `constant`): no chunk is ever in it. */
export const listReports = defineStep<null, [Ranking], Record<never, never>, Ranking>({
  name: 'list-reports',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  run: () => EMPTY,
})

function needs(recipe: Recipe) {
  return { holders: reportHolders(recipe) }
}

/** Report -> the chunks of its community, with the share of the community's entities that stand in each. */
function reportHolders(recipe: Recipe): Artifact<Holders> {
  return defineArtifact({
    name: 'report_holders',
    version: 1,
    params: null,
    inputs: { reports: communityReports(recipe), communities: communitiesTable(recipe) },
    open: async (_folder, inputs) => holdersOf(await inputs.reports(), await inputs.communities()),
  })
}

export function holdersOf(
  { communities: rows }: Pick<Reports, 'communities'>,
  { chunks, entities }: Pick<Communities, 'chunks' | 'entities'>,
): Holders {
  const offsets = new Uint32Array(rows.length + 1)
  const members: number[] = []
  const shares: number[] = []
  rows.forEach((community, report) => {
    const size = entities.offsets[community + 1] - entities.offsets[community]
    for (let at = chunks.offsets[community]; at < chunks.offsets[community + 1]; at++) {
      members.push(chunks.members[at])
      shares.push(chunks.counts[at] / size)
    }
    offsets[report + 1] = members.length
  })
  return { offsets, members: Uint32Array.from(members), shares: Float64Array.from(shares) }
}
