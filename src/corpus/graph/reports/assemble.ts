import { join } from 'node:path'
import { createRandom, shuffle } from '../../../random.ts'
import { resolve } from '../../../registry.ts'
import { type Artifact, defineArtifact, derived, viewOf } from '../../../store/artifact.ts'
import { type ReportColumns, readCommunityReports, writeCommunityReports } from '../../../tables/graph.ts'
import { readTable } from '../../../tables/parquet.ts'
import { countTokens } from '../../../text/tokens.ts'
import { textUnits } from '../../corpus.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from '../../recipe.ts'
import { askNobody } from '../../writer.ts'
import { writtenByModel } from '../../written.ts'
import { communitiesTable, communityLevel, readNotices, writeNotices } from '../communities/assemble.ts'
import { buildIncidence, type Incidence, rowSizes } from '../csr.ts'
import { graph } from '../extraction.ts'
import { type Communities, hashId, type Reports } from '../graph.ts'
import { type CommunityReport, type Finding, findingOf, reportContent, reportWriters } from './index.ts'

const FILE = 'community_reports.parquet'

export const communityReports = oncePerRecipe((recipe): Artifact<Reports> => {
  if (!recipe.reports) throw new LacksPreparation('reports')
  const choice = resolve(reportWriters, recipe.reports)
  const { definition: writer, params } = choice
  const inputs = { graph: graph(recipe), communities: communitiesTable(recipe), chunks: textUnits(recipe) }
  const { write } = writer.make(params)
  const written = writtenByModel(recipe, choice, {
    label: `reports: ${writer.name}`,
    lost: 'communities have no report',
    inputs,
    write,
  })
  return defineArtifact({
    name: 'community_reports',
    version: 1,
    params: { writer: writer.name, ...keyOf(writer, params) },
    inputs: { ...inputs, ...(written && { written }) },
    async build(folder, inputs) {
      const communities = await inputs.communities()
      const input = async () => ({ graph: await inputs.graph(), communities, chunks: await inputs.chunks() })
      const { reports, notices } =
        (await inputs.written?.())?.value ?? (await write(await input(), askNobody))
      const findings = reports.map(({ findings }) => findings)
      const table = reportTable(assembleReports(reports, communities), findings, communities)
      writeCommunityReports(join(folder, FILE), table)
      writeNotices(folder, notices)
    },
    async open(folder): Promise<Reports> {
      const columns = await readCommunityReports(join(folder, FILE))
      return { ...columns, size: columns.ids.length, notices: readNotices(folder) }
    },
  })
})

export function reportTable(
  reports: Reports,
  findings: ReportColumns['findings'],
  { entities, levels, parents, children }: Communities,
): ReportColumns {
  const of = <T>(values: ArrayLike<T>) => Array.from(reports.communities, (community) => values[community])
  return {
    ...reports,
    levels: of(levels),
    parents: of(parents),
    children: of(children),
    sizes: of(rowSizes(entities)),
    findings,
  }
}

export function reportFindings(recipe: Recipe): Artifact<readonly Finding[][]> {
  return viewOf(communityReports(recipe), 'findings', async (folder) => {
    const table = await readTable(join(folder, FILE), ['findings'])
    return table.records('findings').map((findings) => findings.map(findingOf))
  })
}

function assembleReports(reports: readonly CommunityReport[], { ids }: Communities): Reports {
  const contents = reports.map(reportContent)
  return {
    size: reports.length,
    ids: reports.map(({ community }) => hashId(`report\0${ids[community]}`)),
    communities: Uint32Array.from(reports, ({ community }) => community),
    titles: reports.map(({ title }) => title),
    summaries: reports.map(({ summary }) => summary),
    contents,
    ranks: Float64Array.from(reports, ({ rank }) => rank),
    tokens: Uint32Array.from(contents, countTokens),
    notices: {},
  }
}

export type Batches = readonly (readonly number[])[]

/**
 * Reports down to a level of communities, shuffled by `seed`, in batches of at most `tokens`. Throws a UserError if
 * the level does not exist.
 */
export function reportBatches(
  recipe: Recipe,
  params: { readonly communityLevel?: number; readonly tokens: number; readonly seed: number },
): Artifact<Batches> {
  const reads = { reports: communityReports(recipe), communities: communitiesTable(recipe) }
  return derived(
    'report_batches',
    reads,
    ({ reports, communities }) => {
      const level = communityLevel(communities, params.communityLevel)
      const rows = Array.from({ length: reports.size }, (_, row) => row)
      const read = rows.filter((row) => communities.levels[reports.communities[row]] <= level)
      return batchReports(shuffle(read, createRandom(params.seed)), reports.tokens, params.tokens)
    },
    params,
  )
}

export function batchReports(rows: readonly number[], tokens: ArrayLike<number>, budget: number): Batches {
  const batches: number[][] = []
  let left = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    if (tokens[row] > left) {
      batches.push([])
      left = budget
    }
    batches[batches.length - 1].push(row)
    left -= tokens[row]
  }
  return batches
}

/** Reports rolled up as in GraphRAG: each entity has the report of its deepest community down to a level. */
export interface RolledReports {
  readonly reportsOfEntity: Incidence
  readonly ranks: Float64Array
  readonly tokens: Uint32Array
}

/** A community above `level` counts only if it has no children. */
export function rollReports(
  reports: Reports,
  { levels, children, entities }: Communities,
  level: number,
  entityCount: number,
): RolledReports {
  const rows: number[] = []
  const members: number[] = []
  for (let report = 0; report < reports.size; report++) {
    const community = reports.communities[report]
    const current = levels[community]
    if (current > level || (current < level && children[community].length > 0)) continue
    for (let i = entities.offsets[community]; i < entities.offsets[community + 1]; i++) {
      rows.push(entities.members[i])
      members.push(report)
    }
  }
  const reportsOfEntity = buildIncidence(entityCount, { rows, members }, reports.size)
  return { reportsOfEntity, ranks: reports.ranks, tokens: reports.tokens }
}
