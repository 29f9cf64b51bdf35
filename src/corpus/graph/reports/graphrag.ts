import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { addTo } from '../../../maps.ts'
import { isMap } from '../../../text/json.ts'
import { membersOf } from '../csr.ts'
import {
  type ForeignCommunity,
  hashTables,
  listOf,
  numbersIn,
  openTable,
  readGraphragCommunities,
  textsIn,
} from '../foreign/graphrag.ts'
import { type Communities, entityRows, type Graph } from '../graph.ts'
import { type CommunityReport, defineReportWriter, findingOf, type WrittenReports } from './index.ts'

/** A community is known by its level and entities. Reports on communities that are not here are left out and counted. */
export default defineReportWriter({
  name: 'graphrag',
  version: 3,
  summary: 'the community reports of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  only: 'path',
  files: ({ path }) =>
    hashTables(path, ['community_reports', 'communities', 'entities'], 'prepare.reports: graphrag', [
      'nodes',
    ]),
  make: ({ path }) => ({
    check: () => readReports(path),
    async write({ graph, communities }) {
      const stored = await readGraphragCommunities(path)
      const rows = communityRows(stored.communities, { graph, communities })
      return reportsHere(await readReports(path), rows, communities)
    },
  }),
})

/** Reports by community number. A table without summaries has them in `full_content`. */
async function readReports(path: string) {
  const columns = 'community title summary full_content rank findings'
  const table = await openTable(path, 'community_reports', columns)
  const file = table.path
  const texts = ['summary', 'full_content'].find((column) => table.has(column))
  if (texts === undefined && !table.has('findings')) table.values('summary')
  const summaries = textsIn(table, texts ?? 'summary')
  const titles = textsIn(table, 'title')
  const ranks = table.has('rank') ? numbersIn(table, 'rank') : []
  const findings = table.has('findings') ? table.values('findings') : []
  const reports = numbersIn(table, 'community').map((number, row) => {
    const list = listOf(findings[row])
    if (!list) throw new UserError(`column "findings", row ${row + 1}: not a list`, file)
    return {
      number,
      title: titles[row] || `Community ${number}`,
      summary: summaries[row],
      findings: list.map((finding) => findingOf(isMap(finding) ? finding : { summary: finding })),
      rank: Number.isFinite(ranks[row]) ? ranks[row] : 0,
    }
  })
  return { file, reports }
}

/** Rows of the communities here by their stored number: equal are those of one level with the same entities. */
function communityRows(
  stored: readonly ForeignCommunity[],
  { graph, communities }: { readonly graph: Graph; readonly communities: Communities },
): Map<number, number> {
  const content = (level: number, rows: Iterable<number>) =>
    `${level}: ${[...new Set(rows)].sort((a, b) => a - b).join(' ')}`
  const byContent = new Map<string, number[]>()
  for (let community = 0; community < communities.size; community++) {
    const key = content(communities.levels[community], membersOf(communities.entities, community))
    addTo(byContent, key, community)
  }
  const rowOf = entityRows(graph.entities)
  const byNumber = new Map<number, number>()
  for (const { number, level, names } of [...stored].sort((a, b) => a.number - b.number)) {
    const members = names.flatMap((name) => rowOf(name) ?? [])
    const community = byContent.get(content(level, members))?.shift()
    if (community !== undefined) byNumber.set(number, community)
  }
  return byNumber
}

/** Reports on communities that are here. Throws a UserError if none is left. */
function reportsHere(
  { file, reports: stored }: Awaited<ReturnType<typeof readReports>>,
  rows: ReadonlyMap<number, number>,
  communities: Communities,
): WrittenReports {
  const reports = new Map<number, CommunityReport>()
  const notices = { reportsWithoutCommunity: 0, repeatedReports: 0, communitiesWithoutReport: 0 }
  for (const { number, ...report } of stored) {
    const community = rows.get(number)
    if (community === undefined) notices.reportsWithoutCommunity++
    else if (reports.has(community)) notices.repeatedReports++
    else reports.set(community, { community, ...report })
  }
  if (reports.size === 0)
    throw new UserError(
      `fits none of the ${communities.size} communities here; read them from the same folder as the reports (\`prepare.communities\`)`,
      file,
    )
  notices.communitiesWithoutReport = communities.size - reports.size
  return { reports: [...reports.values()].sort((a, b) => a.community - b.community), notices }
}
