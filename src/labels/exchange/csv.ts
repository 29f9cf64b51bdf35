import { type Diagnostic, UserError } from '../../errors.ts'
import { csvTable, parseCsv } from '../../text/csv.ts'
import type { ForeignLabel, LabelRow } from './rows.ts'

const HEADER = [
  ...['query', 'question', 'passage', 'chunk', 'document', 'start', 'end', 'text'],
  ...['labeller', 'grade', 'comment', 'at'],
]

/** A label a row, for spreadsheets. */
export function labelsCsv(rows: readonly LabelRow[]): string {
  return csvTable(
    HEADER,
    rows.map(({ query, passage, labeller, grade, comment, at }) => [
      ...[query.id, query.text, passage.id, passage.chunk, passage.document, passage.start, passage.end],
      ...[passage.text, labeller, grade, comment, at],
    ]),
  )
}

/** Reads the columns query, passage (or chunk, or document), grade, and labeller and comment if they are there. */
export function readLabelsCsv(text: string, file: string): ForeignLabel[] {
  const [head, ...rows] = parseCsv(text)
  const names = (head?.fields ?? []).map((name) => name.trim().toLowerCase())
  const at = (...wanted: string[]) =>
    wanted.map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1
  const columns = {
    query: at('query', 'query_id', 'query-id'),
    passage: at('passage', 'chunk', 'document', 'corpus-id'),
    grade: at('grade', 'score', 'label'),
    labeller: at('labeller', 'annotator'),
    comment: at('comment'),
  }
  if (columns.query < 0 || columns.passage < 0 || columns.grade < 0)
    throw new UserError({
      file,
      line: 1,
      message: `needs the columns query, passage (or chunk, or document) and grade; its columns are ${names.join(', ')}`,
    })
  const diagnostics: Diagnostic[] = []
  const labels = rows.flatMap(({ fields, line, diagnostic }): ForeignLabel[] => {
    // A text that a spreadsheet would run has an apostrophe before it.
    const cell = (index: number) => (fields[index] ?? '').replace(/^'(?=[=+\-@\t\r])/, '')
    const grade = cell(columns.grade).trim()
    if (diagnostic !== undefined) diagnostics.push({ file, line, message: diagnostic })
    else if (!/^\d+$/.test(grade))
      diagnostics.push({ file, line, message: `the grade must be a whole number, not "${grade}"` })
    return [
      {
        ...{ query: cell(columns.query), passage: cell(columns.passage), grade: Number(grade) },
        ...{ labeller: cell(columns.labeller), comment: cell(columns.comment) },
        ...{ place: `line ${line}`, line },
      },
    ]
  })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return labels
}
