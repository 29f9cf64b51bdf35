import { UserError } from '../../errors.ts'
import { readQrelTable, type TableLine } from '../../tables/qrel-table.ts'
import { isHeader } from '../../tables/roles.ts'
import { readGrade, readScore } from '../../text/numbers.ts'
import { RUN_COLUMNS, takeRows } from '../columns.ts'
import { eachRunLine } from '../lines.ts'
import { byId } from '../order.ts'
import { defineRunFormat, type QrelsSink, type RunSink, type RunSource } from '../types.ts'
import { writeText } from '../write.ts'

/**
 * Tables between tabs: BEIR's qrels (`query-id`, `corpus-id`, `score`, a header or none, and our fourth column `group`),
 * runs with a header, and MS MARCO's runs of query, document and rank.
 */
export const beirRun = defineRunFormat({
  name: 'beir',
  summary:
    "BEIR's qrels: query-id, corpus-id, score (group), between tabs; runs so with a header; MS MARCO's runs",
  extension: '.tsv',
  detect({ bytes }) {
    const [first] = bytes
      .toString('utf8', 0, 4096)
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
    const fields = fieldsOf(first)
    if (fields.length < 3) return false
    // Four columns without a header are TREC's or ours: all lines together tell which.
    const isOpen = fields.length === 4 && !/^q?0$/i.test(fields[1])
    return isHeader(fields) || ((fields.length === 3 || isOpen) && readGrade(fields[2]) !== undefined)
  },
  readRun(source, into) {
    const [header, ...rows] = linesOf(source, into)
    if (!header) return
    if (isHeader(header.fields))
      takeRows([header, ...rows], into, RUN_COLUMNS, ([query, id, score, name, rank], line) => {
        into.entry(query, id, score, line, readScore(rank))
        if (name) into.name(name)
      })
    else if (areRanked([header, ...rows])) {
      into.read('query, document and rank, as MS MARCO has them')
      for (const { fields, line } of [header, ...rows])
        into.entry(fields[0], fields[1], String(-Number(fields[2])), line)
    } else
      into.diagnostic(
        'a run between tabs begins with a header: query_id, document_id, score; or it has the columns of TREC, or query, document and rank, as MS MARCO',
        header.line,
      )
  },
  readQrels(source, into) {
    readQrelTable(linesOf(source, into), { ...into.columns, lenient: into.lenient }, into)
  },
  writeQrels(path, { qrels, groups }) {
    const grouped = groups.size > 0
    const rows = byId(qrels).flatMap(([query, judged]) =>
      byId(judged).map(([id, grade]) =>
        [query, id, grade, ...(grouped ? [groups.get(query)?.get(id) ?? ''] : [])]
          .map((field) => cell(String(field), path))
          .join('\t'),
      ),
    )
    const header = ['query-id', 'corpus-id', 'score', ...(grouped ? ['group'] : [])].join('\t')
    writeText(path, `${[header, ...rows].join('\n')}\n`)
  },
})

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

function fieldsOf(text: string): string[] {
  return text.split('\t').map((field) => field.trim())
}

function linesOf(source: RunSource, into: RunSink | QrelsSink): TableLine[] {
  const lines: TableLine[] = []
  eachRunLine(source, into, (text, line) => {
    if (text.trim() !== '') lines.push({ fields: fieldsOf(text), line })
  })
  return lines
}

/** A field between tabs; trimmed when read, so it must not begin or end with white space either. */
function cell(field: string, path: string): string {
  if (!/[\t\r\n]/.test(field) && field === field.trim()) return field
  throw new UserError({
    file: path,
    message: `BEIR's columns are separated by tabs and cannot hold the id ${JSON.stringify(field)}; write csv`,
  })
}
