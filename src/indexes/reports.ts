import { join } from 'node:path'
import type { Reports } from '../graph/graph.ts'
import { assembleReports } from '../graph/reports/assemble.ts'
import { resolveReportWriter } from '../graph/reports/index.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { readReports, writeReports } from '../tables/community-reports.ts'
import { communitiesTable } from './communities.ts'
import { graph } from './graph.ts'
import { graphVectors } from './graph-vectors.ts'
import { LacksPreparation, type Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'
import type { VectorIndex } from './vectors.ts'

const FILE = 'community_reports.parquet'
const made = new WeakMap<Recipe, Artifact<Reports>>()

/** Community reports by `prepare.reports`. Throws a UserError where the config has no such line. */
export function communityReports(recipe: Recipe): Artifact<Reports> {
  const known = made.get(recipe)
  if (known) return known
  if (!recipe.reports) throw new LacksPreparation('reports')
  const { writer, params } = resolveReportWriter(recipe.reports)
  const { path: _path, ...rest } = params
  const artifact = defineArtifact({
    name: 'community_reports',
    version: 1,
    params: {
      writer: writer.name,
      version: writer.version,
      params: rest,
      files: writer.files?.(params) ?? {},
    },
    inputs: { graph: graph(recipe), communities: communitiesTable(recipe), chunks: textUnits(recipe) },
    async build(folder, inputs, { progress }) {
      progress('reports', 0, 1)
      const communities = await inputs.communities()
      const input = { graph: await inputs.graph(), communities, chunks: await inputs.chunks() }
      const written = await writer.write(input, params)
      const { entities, levels, parents, children } = communities
      const of = <T>(value: (community: number) => T) => written.map(({ community }) => value(community))
      writeReports(join(folder, FILE), {
        ...assembleReports(written, communities),
        levels: of((community) => levels[community]),
        parents: of((community) => parents[community]),
        children: of((community) => children[community]),
        sizes: of((community) => entities.offsets[community + 1] - entities.offsets[community]),
        findings: written.map(({ findings }) => findings),
      })
    },
    async open(folder): Promise<Reports> {
      const { ids, titles, summaries, contents, ...numbers } = await readReports(join(folder, FILE))
      return {
        size: ids.length,
        ids,
        titles,
        summaries,
        contents,
        communities: Uint32Array.from(numbers.communities),
        ranks: Float64Array.from(numbers.ranks),
        tokens: Uint32Array.from(numbers.tokens),
      }
    },
  })
  made.set(recipe, artifact)
  return artifact
}

/** Reports by the embedding of their summary. Row = report row. */
export function reportIndex(recipe: Recipe): Artifact<VectorIndex> {
  const texts = defineArtifact({
    name: 'report_texts',
    version: 1,
    params: null,
    inputs: { reports: communityReports(recipe) },
    open: async (_folder, inputs) => (await inputs.reports()).summaries,
  })
  return graphVectors(recipe, 'reports', texts)
}
