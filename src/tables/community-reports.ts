import { number, type ParquetColumn, text, whole } from './column.ts'
import { readOwnTable, writeOwnTable } from './schema.ts'

const SCHEMA = { name: 'community_reports', version: 1 }

export interface ReportColumns {
  readonly ids: readonly string[]
  readonly communities: ArrayLike<number>
  readonly levels: ArrayLike<number>
  readonly parents: ArrayLike<number>
  readonly children: readonly (readonly number[])[]
  /** Number of entities. */
  readonly sizes: ArrayLike<number>
  readonly titles: readonly string[]
  readonly summaries: readonly string[]
  readonly contents: readonly string[]
  readonly ranks: ArrayLike<number>
  readonly tokens: ArrayLike<number>
  readonly findings: readonly (readonly { readonly summary: string; readonly explanation: string }[])[]
}

/** GraphRAG's columns before `rating_explanation`. */
export function reportColumns(reports: ReportColumns): ParquetColumn[] {
  return [
    text('id', reports.ids),
    whole('human_readable_id', reports.communities),
    whole('community', reports.communities),
    whole('level', reports.levels),
    whole('parent', reports.parents),
    { name: 'children', type: 'integers', values: reports.children },
    text('title', reports.titles),
    text('summary', reports.summaries),
    text('full_content', reports.contents),
    number('rank', reports.ranks),
  ]
}

export const findingColumn = ({ findings }: ReportColumns): ParquetColumn => ({
  name: 'findings',
  type: 'records',
  fields: ['explanation', 'summary'],
  values: findings.map((list) => list.map((finding) => ({ ...finding }))),
})

/**
 * Writes GraphRAG's columns but `period` and `full_content_json`, which repeats the others, and `n_tokens`, the o200k
 * tokens of the whole text.
 */
export function writeCommunityReports(path: string, reports: ReportColumns): void {
  const columns = [
    ...reportColumns(reports),
    findingColumn(reports),
    whole('size', reports.sizes),
    whole('n_tokens', reports.tokens),
  ]
  writeOwnTable(path, SCHEMA, columns)
}

/** Reads what searching needs of what `writeReports` wrote. */
export async function readCommunityReports(
  path: string,
): Promise<
  Pick<ReportColumns, 'ids' | 'titles' | 'summaries' | 'contents'> &
    Record<'communities' | 'ranks' | 'tokens', number[]>
> {
  const table = await readOwnTable(path, SCHEMA, [
    'id',
    'community',
    'title',
    'summary',
    'full_content',
    'rank',
    'n_tokens',
  ])
  return {
    ids: table.strings('id'),
    communities: table.numbers('community'),
    titles: table.strings('title'),
    summaries: table.strings('summary'),
    contents: table.strings('full_content'),
    ranks: table.numbers('rank'),
    tokens: table.numbers('n_tokens'),
  }
}
