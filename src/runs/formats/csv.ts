import { csvRow, parseCsv } from '../../text/csv.ts'
import { columnIndex, DOCUMENT, GRADE, GROUP, missingColumn, NAME, QUERY, SCORE } from '../columns.ts'
import { eachLine } from '../lines.ts'
import { bestFirst, byId } from '../order.ts'
import { defineRunFormat, type QrelsIntake, type RunIntake, type Source } from '../types.ts'
import { writeText } from '../write.ts'

/** CSV with a header: `query_id,document_id,score,run` and `query_id,document_id,grade,group`; other common names are known. */
export const csv = defineRunFormat({
  name: 'csv',
  summary: 'CSV with a header: query_id, document_id, score (run), or grade (group)',
  extension: '.csv',
  detect({ path, bytes }) {
    const [header] = bytes.toString('utf8', 0, 4096).split('\n')
    return /\.csv(\.gz)?$/i.test(path) || columnIndex(header.split(',').slice(0, 1), QUERY) === 0
  },
  readRun(source, into) {
    eachRow(source, into, [QUERY, DOCUMENT, SCORE], NAME, ([query, id, score, name], line) => {
      into.entry(query, id, score, line)
      if (name) into.name(name)
    })
  },
  readQrels(source, into) {
    eachRow(source, into, [QUERY, DOCUMENT, GRADE], GROUP, ([query, id, grade, group], line) => {
      into.judgement(query, id, grade, line, group || undefined)
    })
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

function eachRow(
  source: Source,
  into: RunIntake | QrelsIntake,
  wanted: readonly (readonly string[])[],
  extra: readonly string[],
  take: (fields: string[], line: number) => void,
): void {
  const lines: string[] = []
  eachLine(source, into, (text) => void lines.push(text))
  const [header, ...rows] = parseCsv(lines.join('\n'))
  if (!header) return
  const indexes = wanted.map((names) => columnIndex(header.fields, names))
  indexes.forEach((index, column) => {
    if (index < 0) into.mistake(missingColumn(header.fields, wanted[column]), header.line)
  })
  const twice = header.fields.find((name, index) => name !== '' && header.fields.indexOf(name) !== index)
  if (twice !== undefined) into.mistake(`has the column \`${twice}\` twice`, header.line)
  if (indexes.includes(-1) || twice !== undefined) return
  indexes.push(columnIndex(header.fields, extra))
  for (const row of rows) {
    if (row.mistake) into.mistake(row.mistake, row.line)
    else if (row.fields.length !== header.fields.length)
      into.mistake(`has ${row.fields.length} fields; the header has ${header.fields.length}`, row.line)
    else
      take(
        indexes.map((index) => (index < 0 ? '' : row.fields[index])),
        row.line,
      )
  }
}
