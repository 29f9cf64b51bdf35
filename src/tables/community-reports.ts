import { readTable, writeTable } from './parquet.ts'
import { requireSchema, schemaMetadata } from './schema.ts'

const SCHEMA = { name: 'community_reports', version: 1 }

/** Community reports as columns, one entry a row. */
interface ReportColumns {
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

/**
 * Writes GraphRAG's columns but `period` and `full_content_json`, which repeats the others, and `n_tokens`, the o200k
 * tokens of the whole text.
 */
export function writeCommunityReports(path: string, reports: ReportColumns): void {
  const columns = [
    { name: 'id', type: 'string', values: reports.ids },
    { name: 'human_readable_id', type: 'integer', values: reports.communities },
    { name: 'community', type: 'integer', values: reports.communities },
    { name: 'level', type: 'integer', values: reports.levels },
    { name: 'parent', type: 'integer', values: reports.parents },
    { name: 'children', type: 'integers', values: reports.children },
    { name: 'title', type: 'string', values: reports.titles },
    { name: 'summary', type: 'string', values: reports.summaries },
    { name: 'full_content', type: 'string', values: reports.contents },
    { name: 'rank', type: 'number', values: reports.ranks },
    {
      name: 'findings',
      type: 'records',
      fields: ['explanation', 'summary'],
      values: reports.findings.map((findings) => findings.map((finding) => ({ ...finding }))),
    },
    { name: 'size', type: 'integer', values: reports.sizes },
    { name: 'n_tokens', type: 'integer', values: reports.tokens },
  ] as const
  writeTable(path, columns, schemaMetadata(SCHEMA))
}

/** Reads what searching needs of what `writeReports` wrote. */
export async function readCommunityReports(
  path: string,
): Promise<
  Pick<ReportColumns, 'ids' | 'titles' | 'summaries' | 'contents'> &
    Record<'communities' | 'ranks' | 'tokens', number[]>
> {
  const table = await readTable(path, [
    'id',
    'community',
    'title',
    'summary',
    'full_content',
    'rank',
    'n_tokens',
  ])
  requireSchema(table, SCHEMA)
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
