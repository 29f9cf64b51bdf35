import { readQrelTable, type TableLine, tabCell } from '../../tables/qrel-table.ts'
import { isHeader } from '../../tables/roles.ts'
import { readGrade } from '../../text/numbers.ts'
import { rowsOf, tabbed, takeRows, writeText } from '../source.ts'
import type { RunFormat } from '../types.ts'

/**
 * Tables between tabs: BEIR's qrels (`query-id`, `corpus-id`, `score`, a header or none, and our fourth column `group`),
 * runs with a header, and MS MARCO's runs of query, document and rank.
 */
export const beirRun: RunFormat = {
  name: 'beir',
  summary:
    "BEIR's qrels: query-id, corpus-id, score (group), between tabs; runs so with a header; MS MARCO's runs",
  extension: '.tsv',
  detect({ head }) {
    const fields = tabbed(head.split(/\r?\n/)[0])
    if (fields.length < 3) return false
    // Four columns without a header are TREC's or ours: all lines together tell which.
    const isOpen = fields.length === 4 && !/^q?0$/i.test(fields[1])
    return isHeader(fields) || ((fields.length === 3 || isOpen) && readGrade(fields[2]) !== undefined)
  },
  read(source, into, kind) {
    const lines = [...rowsOf(source, tabbed)]
    const [header, ...rows] = lines
    if (!header) return
    if (kind === 'qrels') readQrelTable(lines, { known: into.known }, { ...into, qrel: into.take })
    else if (isHeader(header.fields)) takeRows(header, rows, into, kind)
    else if (areRanked(lines)) {
      into.read('query, document and rank, as MS MARCO has them')
      for (const { fields, line } of lines) into.take(fields[0], fields[1], String(-Number(fields[2])), line)
    } else
      into.diagnostic(
        'a run between tabs begins with a header: query_id, document_id, score; or it has the columns of TREC, or query, document and rank, as MS MARCO',
        header.line,
      )
  },
  writes: ['qrels'],
  hasGroups: true,
  write(path, rows) {
    const hasGroups = rows.some(({ extra }) => extra !== '')
    const header = ['query-id', 'corpus-id', 'score', ...(hasGroups ? ['group'] : [])]
    const lines = rows.map(({ query, id, value, extra }) =>
      [query, id, String(value), ...(hasGroups ? [extra] : [])].map((field) => tabCell(field, path)),
    )
    writeText(path, [header, ...lines].map((fields) => `${fields.join('\t')}\n`).join(''))
  },
}

/**
 * True for MS MARCO's three columns: the last counts the documents of each query, from 0 or 1. Scores do so only where every
 * query has one document, which is refused.
 */
function areRanked(rows: readonly TableLine[]): boolean {
  const ranks = new Map<string, number>()
  let longest = 0
  const [first] = rows
  const base = Number(first.fields[2])
  return (
    (base === 0 || base === 1) &&
    rows.every(({ fields }) => {
      const rank = (ranks.get(fields[0]) ?? base - 1) + 1
      ranks.set(fields[0], rank)
      longest = Math.max(longest, rank - base)
      return fields.length === 3 && readGrade(fields[2]) === rank
    }) &&
    longest > 0
  )
}
