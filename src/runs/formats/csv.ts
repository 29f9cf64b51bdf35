import { DOCUMENT, GRADE, GROUP, isHeader, QUERY } from '../../tables/roles.ts'
import { csvRow, parseCsv } from '../../text/csv.ts'
import { readScore } from '../../text/numbers.ts'
import { RUN_COLUMNS, type TextRow, takeRows } from '../columns.ts'
import { eachRunLine } from '../lines.ts'
import { bestFirst, byId } from '../order.ts'
import { defineRunFormat, type QrelsSink, type RunSink, type RunSource } from '../types.ts'
import { writeText } from '../write.ts'

/** CSV with a header: `query_id,document_id,score,run` and `query_id,document_id,grade,group`; other common names are known. */
export const csv = defineRunFormat({
  name: 'csv',
  summary: 'CSV with a header: query_id, document_id, score (run), or grade (group)',
  extension: '.csv',
  detect({ path, bytes }) {
    const [header] = bytes.toString('utf8', 0, 4096).split('\n')
    return /\.csv(\.gz)?$/i.test(path) || (header.includes(',') && isHeader(header.split(',')))
  },
  readRun(source, into) {
    takeRows(rowsOf(source, into), into, RUN_COLUMNS, ([query, id, score, name, rank], line) => {
      into.entry(query, id, score, line, readScore(rank))
      if (name) into.name(name)
    })
  },
  readQrels(source, into) {
    takeRows(
      rowsOf(source, into),
      into,
      [QUERY, DOCUMENT, GRADE, GROUP],
      ([query, id, grade, group], line) => {
        into.qrel(query, id, grade, line, group || undefined)
      },
    )
  },
  writeRun(path, { name, queries }) {
    const rows = byId(queries).flatMap(([query, entries]) =>
      bestFirst(entries).map(
        (index) => `${csvRow([query, entries.ids[index], entries.scores[index], name])}\n`,
      ),
    )
    writeText(path, `query_id,document_id,score,run\n${rows.join('')}`)
  },
  writeQrels(path, { qrels, groups }) {
    const grouped = groups.size > 0
    const rows = byId(qrels).flatMap(([query, judged]) =>
      byId(judged).map(
        ([id, grade]) =>
          `${csvRow([query, id, grade, ...(grouped ? [groups.get(query)?.get(id) ?? ''] : [])])}\n`,
      ),
    )
    writeText(path, `query_id,document_id,grade${grouped ? ',group' : ''}\n${rows.join('')}`)
  },
})

function rowsOf(source: RunSource, into: RunSink | QrelsSink): TextRow[] {
  const lines: string[] = []
  eachRunLine(source, into, (text) => void lines.push(text))
  return parseCsv(lines.join('\n'))
}
