import type { LocalTables } from '../graph/local-context.ts'
import { communityLevel, rollReports } from '../graph/report-roll.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { communitiesTable } from './communities.ts'
import { evidenceTexts } from './evidence.ts'
import { graph } from './graph.ts'
import type { Recipe } from './recipe.ts'
import { communityReports } from './reports.ts'
import { textUnits } from './text-units.ts'

/** What GraphRAG's local search reads, brought together once a process. Throws a UserError where `level` does not exist. */
export function localTables(recipe: Recipe, level: number | undefined): Artifact<LocalTables> {
  return defineArtifact({
    name: 'local_tables',
    version: 1,
    params: { level },
    inputs: {
      graph: graph(recipe),
      communities: communitiesTable(recipe),
      reports: communityReports(recipe),
      texts: evidenceTexts(recipe),
      chunks: textUnits(recipe),
    },
    async open(_folder, inputs) {
      const [graph, communities, reports] = await Promise.all([
        inputs.graph(),
        inputs.communities(),
        inputs.reports(),
      ])
      const { sizes } = await inputs.texts()
      const rolled = rollReports(
        reports,
        communities,
        communityLevel(communities, level),
        graph.entities.size,
      )
      return {
        graph,
        reports: rolled,
        sizes,
        chunkTokens: (await inputs.chunks()).map(({ tokens }) => tokens),
      }
    },
  })
}
