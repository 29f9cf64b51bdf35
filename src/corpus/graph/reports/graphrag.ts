import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { hashFile } from '../../../store/input.ts'
import { readForeignTable } from '../../../tables/foreign.ts'
import { entityKey } from '../../../text/entity-key.ts'
import { membersOf } from '../csr.ts'
import { type CommunityReport, defineReportWriter, type Finding } from './define.ts'

/** Reads Microsoft GraphRAG's `community_reports.parquet`; a community is known by its level and entities. */
export const graphragReports = defineReportWriter({
  name: 'graphrag',
  version: 1,
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
    const content = (level: number, keys: readonly string[]) =>
      `${level}\n${[...new Set(keys)].sort().join('\n')}`
    const byContent = new Map<string, number>()
    for (let community = 0; community < communities.size; community++) {
      const members = membersOf(communities.entities, community)
      const keys = Array.from(members, (entity) => graph.entities.keys[entity])
      byContent.set(content(communities.levels[community], keys), community)
    }
    const entities = await readForeignTable(join(path, 'entities.parquet'), ['id', 'title'])
    const titles = entities.strings('title')
    const keyOf = new Map(entities.strings('id').map((id, row) => [id, entityKey(titles[row])]))
    const own = new Set(graph.entities.keys)
    const stored = await readForeignTable(join(path, 'communities.parquet'), [
      'community',
      'level',
      'entity_ids',
    ])
    const levels = stored.numbers('level')
    const members = stored.lists('entity_ids')
    const communityOf = new Map(
      stored.numbers('community').map((number, row) => {
        const keys = members[row].map((id) => keyOf.get(id) ?? '').filter((key) => own.has(key))
        return [number, byContent.get(content(levels[row], keys))]
      }),
    )
    const file = join(path, 'community_reports.parquet')
    const table = await readForeignTable(file, ['community', 'title', 'summary', 'rank', 'findings'])
    const reportTitles = table.strings('title')
    const summaries = table.strings('summary')
    const ranks = table.numbers('rank')
    const findings = table.records('findings')
    const reports: CommunityReport[] = []
    table.numbers('community').forEach((number, row) => {
      const community = communityOf.get(number)
      if (community === undefined) return
      reports.push({
        community,
        title: reportTitles[row],
        summary: summaries[row],
        findings: findings[row].map(findingOf),
        rank: Number.isFinite(ranks[row]) ? ranks[row] : 0,
      })
    })
    if (reports.length === 0)
      throw new UserError({
        file,
        message:
          'fits none of the communities here; read them from the same folder, as `communities: {graphrag: {path: ...}}`',
      })
    return reports.sort((a, b) => a.community - b.community)
  },
})

function findingOf({ summary, explanation }: Record<string, unknown>): Finding {
  return { summary: String(summary ?? ''), explanation: String(explanation ?? '') }
}
