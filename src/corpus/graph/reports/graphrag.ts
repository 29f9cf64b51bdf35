import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { hashFile } from '../../../store/input.ts'
import { readForeignTable } from '../../../tables/foreign.ts'
import { membersOf } from '../csr.ts'
import { entityRows } from '../graph.ts'
import { type CommunityReport, defineReportWriter, type Finding } from './define.ts'

/**
 * Reads Microsoft GraphRAG's `community_reports.parquet`; a community is known by its level and entities. Reports on
 * communities that are not here are left out and counted.
 */
export const graphragReports = defineReportWriter({
  name: 'graphrag',
  version: 2,
  summary: 'the community reports of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  files: ({ path }) =>
    Object.fromEntries(
      ['community_reports', 'communities', 'entities'].map((name) => [
        name,
        hashFile(join(path, `${name}.parquet`), 'prepare.reports: graphrag'),
      ]),
    ),
  async write({ graph, communities }, { path }) {
    const content = (level: number, rows: Iterable<number>) =>
      `${level}: ${[...new Set(rows)].sort((a, b) => a - b).join(' ')}`
    // Communities of one level may have the same entities: they are in the order of their numbers, here as there.
    const byContent = new Map<string, number[]>()
    for (let community = 0; community < communities.size; community++) {
      const key = content(communities.levels[community], membersOf(communities.entities, community))
      byContent.set(key, [...(byContent.get(key) ?? []), community])
    }
    const entities = await readForeignTable(join(path, 'entities.parquet'), ['id', 'title'])
    const titles = entities.strings('title')
    const rowOf = entityRows(graph.entities)
    const rowOfId = new Map(entities.strings('id').map((id, row) => [id, rowOf(titles[row])]))
    const stored = await readForeignTable(join(path, 'communities.parquet'), [
      'community',
      'level',
      'entity_ids',
    ])
    const levels = stored.numbers('level')
    const members = stored.lists('entity_ids')
    const numbers = stored.numbers('community')
    const communityOf = new Map<number, number>()
    const inOrder = numbers.map((_, row) => row).sort((a, b) => numbers[a] - numbers[b])
    for (const row of inOrder) {
      const known = members[row].flatMap((id) => rowOfId.get(id) ?? [])
      const community = byContent.get(content(levels[row], known))?.shift()
      if (community !== undefined) communityOf.set(numbers[row], community)
    }
    const file = join(path, 'community_reports.parquet')
    const table = await readForeignTable(file, ['community', 'title', 'summary', 'rank', 'findings'])
    const reportTitles = table.strings('title')
    const summaries = table.strings('summary')
    const ranks = table.numbers('rank')
    const findings = table.records('findings')
    const reports = new Map<number, CommunityReport>()
    const notices = { reportsWithoutCommunity: 0, repeatedReports: 0, communitiesWithoutReport: 0 }
    table.numbers('community').forEach((number, row) => {
      const community = communityOf.get(number)
      if (community === undefined) notices.reportsWithoutCommunity++
      else if (reports.has(community)) notices.repeatedReports++
      else
        reports.set(community, {
          community,
          title: reportTitles[row],
          summary: summaries[row],
          findings: findings[row].map(findingOf),
          rank: Number.isFinite(ranks[row]) ? ranks[row] : 0,
        })
    })
    if (reports.size === 0)
      throw new UserError({
        file,
        message:
          'fits none of the communities here; read them from the same folder, as `communities: {graphrag: {path: ...}}`',
      })
    notices.communitiesWithoutReport = communities.size - reports.size
    return { reports: [...reports.values()].sort((a, b) => a.community - b.community), notices }
  },
})

function findingOf({ summary, explanation }: Record<string, unknown>): Finding {
  return { summary: String(summary ?? ''), explanation: String(explanation ?? '') }
}
