import { z } from 'zod'
import { readForeignTable } from '../../../tables/foreign.ts'
import { graphragFile, hashTables, readGraphragCommunities } from '../foreign/graphrag.ts'
import { communityRows, foreignReports } from '../foreign/reports.ts'
import { defineReportWriter, type Finding } from './define.ts'

/**
 * Reads Microsoft GraphRAG's `community_reports.parquet`; a community is known by its level and entities. Reports on
 * communities that are not here are left out and counted.
 */
export const graphragReports = defineReportWriter({
  name: 'graphrag',
  version: 3,
  summary: 'the community reports of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  only: 'path',
  files: ({ path }) =>
    hashTables(path, ['community_reports', 'communities', 'entities'], 'prepare.reports: graphrag', [
      'nodes',
    ]),
  check: ({ path }) => readReports(path),
  async write({ graph, communities }, { path }) {
    const stored = await readGraphragCommunities(path)
    const communityOf = communityRows(
      stored.communities.map(({ titles, ...community }) => ({ ...community, names: titles })),
      { graph, communities },
    )
    const { file, table } = await readReports(path)
    const reportTitles = table.strings('title')
    const summaries = table.strings('summary')
    const ranks = table.numbers('rank')
    const findings = table.records('findings')
    const reports = table.numbers('community').map((number, row) => ({
      community: communityOf.get(number),
      title: reportTitles[row],
      summary: summaries[row],
      findings: findings[row].map(findingOf),
      rank: Number.isFinite(ranks[row]) ? ranks[row] : 0,
    }))
    return foreignReports(file, reports, communities)
  },
})

async function readReports(path: string) {
  const file = graphragFile(path, 'community_reports')
  const table = await readForeignTable(file, ['community', 'title', 'summary', 'rank', 'findings'])
  for (const column of ['title', 'summary']) table.strings(column)
  for (const column of ['community', 'rank']) table.numbers(column)
  table.records('findings')
  return { file, table }
}

function findingOf({ summary, explanation }: Record<string, unknown>): Finding {
  return { summary: String(summary ?? ''), explanation: String(explanation ?? '') }
}
