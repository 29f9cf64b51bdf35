import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { readForeignTable } from '../../../tables/foreign.ts'
import { isMap } from '../../../text/json.ts'
import { listOf, numbersIn, textsIn } from '../foreign/columns.ts'
import { graphragFile, hashTables, readGraphragCommunities } from '../foreign/graphrag.ts'
import { communityRows, foreignReports } from '../foreign/reports.ts'
import { defineReportWriter, type Finding } from './index.ts'

/**
 * Reads Microsoft GraphRAG's `community_reports.parquet`; a community is known by its level and entities. Reports on
 * communities that are not here are left out and counted.
 */
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
      const communityOf = communityRows(stored.communities, { graph, communities })
      const { file, reports } = await readReports(path)
      const numbered = reports.map(({ number, ...report }) => ({
        community: communityOf.get(number),
        ...report,
      }))
      return foreignReports(file, numbered, communities)
    },
  }),
})

/** Reports with the numbers of their communities. A table without summaries has them in `full_content`. */
async function readReports(path: string) {
  const file = graphragFile(path, 'community_reports')
  const table = await readForeignTable(file, [
    'community',
    'title',
    'summary',
    'full_content',
    'rank',
    'findings',
  ])
  const texts = ['summary', 'full_content'].find((column) => table.has(column))
  if (texts === undefined && !table.has('findings')) table.values('summary')
  const summaries = textsIn(table, texts ?? 'summary')
  const titles = textsIn(table, 'title')
  const ranks = table.has('rank') ? numbersIn(table, 'rank') : []
  const findings = table.has('findings') ? table.values('findings') : []
  const reports = numbersIn(table, 'community').map((number, row) => {
    const list = listOf(findings[row])
    if (!list) throw new UserError({ file, message: `column "findings", row ${row + 1}: not a list` })
    return {
      number,
      title: titles[row] || `Community ${number}`,
      summary: summaries[row],
      findings: list.map(findingOf),
      rank: Number.isFinite(ranks[row]) ? ranks[row] : 0,
    }
  })
  return { file, reports }
}

/** Finding of a record, or of a text alone. */
function findingOf(finding: unknown): Finding {
  if (!isMap(finding)) return { summary: String(finding ?? ''), explanation: '' }
  return { summary: String(finding.summary ?? ''), explanation: String(finding.explanation ?? '') }
}
