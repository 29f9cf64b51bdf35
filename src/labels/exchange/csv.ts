import { type Diagnostic, UserError } from '../../errors.ts'
import { assignColumns, type ColumnRole, DOCUMENT, GRADE, QUERY } from '../../tables/roles.ts'
import { csvTable, parseCsv } from '../../text/csv.ts'
import { readGrade } from '../../text/numbers.ts'
import type { ForeignLabel, LabelRow } from './rows.ts'

const HEADER = [
  'query',
  'question',
  'passage',
  'chunk',
  'document',
  'start',
  'end',
  'text',
  'labeller',
  'grade',
  'comment',
  'at',
]

/** A label a row, for spreadsheets. */
export function labelsCsv(rows: readonly LabelRow[]): string {
  return csvTable(
    HEADER,
    rows.map(({ query, passage, labeller, grade, comment, at }) => [
      query.id,
      query.text,
      passage.id,
      passage.chunk,
      passage.document,
      passage.start,
      passage.end,
      passage.text,
      labeller,
      grade,
      comment,
      at,
    ]),
  )
}

/** Columns by role; of two names in one rank that hold other things neither is taken. */
const PASSAGE: ColumnRole = {
  ...DOCUMENT,
  name: 'passage',
  names: [['passage', 'passage_id'], ['chunk', 'chunk_id'], ['document'], ...DOCUMENT.names],
}
const LABELLER: ColumnRole = {
  name: 'labeller',
  names: [['labeller', 'labeler', 'annotator']],
  fits: () => true,
  optional: true,
}
const COMMENT: ColumnRole = { name: 'comment', names: [['comment']], fits: () => true, optional: true }

/** Reads the columns query, passage (or chunk, or document), grade, and labeller and comment if they are there. */
export function readLabelsCsv(text: string, file: string, tell: (read: string) => void): ForeignLabel[] {
  const [head, ...rows] = parseCsv(text)
  const names = head?.fields ?? []
  const diagnostics: Diagnostic[] = []
  const wrong = (message: string, line = 1) => diagnostics.push({ file, line, message })
  const isWhole = (row: (typeof rows)[number]) => row.fields.length === names.length
  // A text that a spreadsheet would run has an apostrophe before it.
  const cell = (fields: readonly string[], index: number) =>
    (fields[index] ?? '').trim().replace(/^'(?=[=+\-@\t\r])/, '')
  const valuesOf = (column: number) => rows.filter(isWhole).map(({ fields }) => cell(fields, column))
  const roles = [QUERY, PASSAGE, GRADE, LABELLER, COMMENT]
  const assigned = assignColumns(names, roles, valuesOf, {}, (message) => wrong(message))
  // Our own file is no news.
  if (assigned?.read && names.join() !== HEADER.join()) tell(assigned.read)
  const [query, passage, value, labeller, comment] = assigned?.indexes ?? []
  const labels = rows.flatMap((row): ForeignLabel[] => {
    const { fields, line, diagnostic } = row
    if (diagnostic !== undefined) wrong(diagnostic, line)
    else if (!isWhole(row)) wrong(`has ${fields.length} fields; the header has ${names.length}`, line)
    else if (assigned) {
      const given = cell(fields, value)
      const grade = readGrade(given)
      const on = { query: cell(fields, query), passage: cell(fields, passage) }
      const by = { labeller: cell(fields, labeller), comment: cell(fields, comment) }
      if (grade !== undefined) return [{ ...on, grade, ...by, line }]
      wrong(`the grade must be a whole number, not "${given}"`, line)
    }
    return []
  })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return labels
}
