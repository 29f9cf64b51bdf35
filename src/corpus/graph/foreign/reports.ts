import { UserError } from '../../../errors.ts'
import { addTo } from '../../../maps.ts'
import { membersOf } from '../csr.ts'
import { type Communities, entityRows, type Graph } from '../graph.ts'
import type { CommunityReport, WrittenReports } from '../reports/index.ts'

interface Numbered {
  readonly number: number
  readonly level: number
  readonly names: readonly string[]
}

/** Row of each community of another program that is here, by its number: the one with its level and entities. */
export function communityRows(
  stored: readonly Numbered[],
  { graph, communities }: { readonly graph: Graph; readonly communities: Communities },
): Map<number, number> {
  const content = (level: number, rows: Iterable<number>) =>
    `${level}: ${[...new Set(rows)].sort((a, b) => a - b).join(' ')}`
  // Communities of one level may have the same entities: they are in the order of their numbers, here as there.
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

type Found = Omit<CommunityReport, 'community'> & { readonly community: number | undefined }

/** Reports on communities that are here; others, and second ones, are counted. Throws a UserError if none is left. */
export function foreignReports(
  file: string,
  numbered: readonly Found[],
  communities: Communities,
): WrittenReports {
  const reports = new Map<number, CommunityReport>()
  const notices = { reportsWithoutCommunity: 0, repeatedReports: 0, communitiesWithoutReport: 0 }
  for (const { community, ...report } of numbered)
    if (community === undefined) notices.reportsWithoutCommunity++
    else if (reports.has(community)) notices.repeatedReports++
    else reports.set(community, { community, ...report })
  if (reports.size === 0)
    throw new UserError({
      file,
      message: `fits none of the ${communities.size} communities here; read them from the same folder as the reports (\`prepare.communities\`)`,
    })
  notices.communitiesWithoutReport = communities.size - reports.size
  return { reports: [...reports.values()].sort((a, b) => a.community - b.community), notices }
}
