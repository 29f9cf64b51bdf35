import { createHash } from 'node:crypto'
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
import type { Communities, Reports } from '../graph.ts'
import { type CommunityReport, reportBlocks, reportWriters } from './index.ts'

const FILE = 'community_reports.parquet'

/** Community reports by `prepare.reports`. Throws a UserError if the config has no such line. */
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
      const { ids, titles, summaries, contents, ...numbers } = await readCommunityReports(join(folder, FILE))
      return {
        size: ids.length,
        ids,
        titles,
        summaries,
        contents,
        communities: Uint32Array.from(numbers.communities),
        ranks: Float64Array.from(numbers.ranks),
        tokens: Uint32Array.from(numbers.tokens),
        notices: readNotices(folder),
      }
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
    return table
      .records('findings')
      .map((findings) =>
        findings.map(({ summary, explanation }) => ({
          summary: String(summary ?? ''),
          explanation: String(explanation ?? ''),
        })),
      )
  })
}

interface Finding {
  readonly summary: string
  readonly explanation: string
}

function assembleReports(reports: readonly CommunityReport[], { ids }: Communities): Reports {
  const tokensOf = createBlockCounter()
  const blocks = reports.map(reportBlocks)
  return {
    size: reports.length,
    ids: reports.map(({ community }) =>
      createHash('sha256').update(`report\0${ids[community]}`).digest('hex').slice(0, 32),
    ),
    communities: Uint32Array.from(reports, ({ community }) => community),
    titles: reports.map(({ title }) => title),
    summaries: reports.map(({ summary }) => summary),
    contents: blocks.map((list) => list.join('\n\n')),
    ranks: Float64Array.from(reports, ({ rank }) => rank),
    tokens: Uint32Array.from(blocks, tokensOf),
    notices: {},
  }
}

/**
 * Counts o200k tokens of blocks joined by blank lines. A token never continues after a line break into a letter or `#`,
 * so counts of such blocks add up, and each block is counted once.
 */
function createBlockCounter(): (blocks: readonly string[]) => number {
  const counted = new Map<string, number>()
  return (blocks) => {
    if (!blocks.every((block) => /^[\p{L}\p{N}#]/u.test(block))) return countTokens(blocks.join('\n\n'))
    let sum = 0
    blocks.forEach((block, i) => {
      const text = i === blocks.length - 1 ? block : `${block}\n\n`
      let tokens = counted.get(text)
      if (tokens === undefined) {
        tokens = countTokens(text)
        counted.set(text, tokens)
      }
      sum += tokens
    })
    return sum
  }
}

export type Batches = readonly (readonly number[])[]

/**
 * Reports down to a level of communities (0 is the coarsest), shuffled by `seed`, in batches of at most `tokens`. Throws a
 * UserError if the level does not exist.
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

/**
 * Reports rolled up to a level as in GraphRAG: each entity has the report of its deepest community down to that level.
 */
export interface RolledReports {
  /** Entity -> report rows. */
  readonly reportsOfEntity: Incidence
  readonly ranks: Float64Array
  /** o200k tokens of each report's content. */
  readonly tokens: Uint32Array
}

/** Rolls reports up: a community above `level` counts only if it has no children. */
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
