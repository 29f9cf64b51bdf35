import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { addTo } from '../maps.ts'
import { assignColumns, type ColumnRole, DOCUMENT, GRADE, QUERY } from '../tables/roles.ts'
import { csvTable, parseCsv } from '../text/csv.ts'
import { readGrade } from '../text/numbers.ts'
import type { FiledLog } from './folder.ts'
import { pairOf, standingOf } from './log.ts'
import type { Pool, PooledPassage, PooledQuery } from './pool.ts'

/** A label as other tools exchange it. */
interface LabelRow {
  readonly query: PooledQuery
  readonly passage: PooledPassage
  readonly labeller: string
  readonly grade: number
  readonly comment: string
  readonly at: string
}

/** Labels of all people on a pool, in its order. Other tools know no models: there a model's labels would be a person's. */
export function labelRows(pool: Pool, logs: readonly FiledLog[]): LabelRow[] {
  const people = logs.filter(({ header }) => header.kind === 'person')
  const standings = people.map(({ header, actions }) => ({ header, ...standingOf(actions) }))
  return pool.queries.flatMap((query) =>
    query.passages.flatMap((passage) =>
      standings.flatMap(({ header, grades, comments }): LabelRow[] => {
        const label = grades.get(pairOf(query.id, passage.id))
        if (!label) return []
        const comment = comments.get(pairOf(query.id, passage.id))?.text ?? ''
        return [{ query, passage, labeller: header.labeller, grade: label.grade, comment, at: label.at }]
      }),
    ),
  )
}

/** A label of another tool, before it is found in the pool. */
export interface ForeignLabel {
  readonly query: string
  /** Id of a passage, of its chunk or of its document. */
  readonly passage: string
  /** '' if the file does not say. */
  readonly labeller: string
  readonly grade: number
  readonly comment?: string
  readonly line: number
}

/** Passages of a pool that a label is about; a document is all its passages. */
export function passagesOf(pool: Pool): (label: ForeignLabel) => readonly string[] {
  const passageIds = new Map<string, string[]>()
  for (const { id, passages } of pool.queries)
    for (const passage of passages)
      for (const name of new Set([passage.id, passage.chunk, passage.document]))
        addTo(passageIds, pairOf(id, name), passage.id)
  return ({ query, passage }) => passageIds.get(pairOf(query, passage)) ?? []
}

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
      const text = cell(fields, value)
      const grade = readGrade(text)
      const on = { query: cell(fields, query), passage: cell(fields, passage) }
      const by = { labeller: cell(fields, labeller), comment: cell(fields, comment) }
      if (grade !== undefined) return [{ ...on, grade, ...by, line }]
      wrong(`the grade must be a whole number, not "${text}"`, line)
    }
    return []
  })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return labels
}

/** TREC qrels: query, iteration, id and grade. A document has the highest grade of its passages. */
export function trecLines(
  labels: readonly { readonly query: string; readonly id: string; readonly grade: number }[],
): string {
  const wrong = labels.find(({ query, id }) => /\s/.test(query) || /\s/.test(id))
  if (wrong)
    throw new UserError(
      `TREC qrels are separated by white space and cannot hold the id ${JSON.stringify(/\s/.test(wrong.query) ? wrong.query : wrong.id)}; export CSV`,
    )
  const grades = new Map<string, number>()
  for (const { query, id, grade } of labels) {
    const pair = `${query} 0 ${id}`
    grades.set(pair, Math.max(grade, grades.get(pair) ?? 0))
  }
  return [...grades].map(([pair, grade]) => `${pair} ${grade}\n`).join('')
}

/** Labels without those of a place whose text was labelled again: the pool has the current text first. */
export function newestOfPlaces<
  L extends {
    readonly query: string
    readonly document: string
    readonly start: number
    readonly end: number
  },
>(labels: readonly L[]): L[] {
  const placeOf = ({ query, document, start, end }: L) => JSON.stringify([query, document, start, end])
  const places = new Set<string>()
  return labels.filter((label) => !places.has(placeOf(label)) && places.add(placeOf(label)))
}

/** BEIR's qrels have other columns. */
const NO_QREL =
  'is not query, iteration, id and grade; write another table as CSV, with a header: query, document, grade'

export function readTrec(text: string, file: string): ForeignLabel[] {
  const diagnostics: Diagnostic[] = []
  const labels = text.split(/\r?\n/).flatMap((line, index): ForeignLabel[] => {
    if (line.trim() === '') return []
    const fields = line.trim().split(/\s+/)
    const grade = readGrade(fields[3])
    if (fields.length !== 4 || grade === undefined) {
      diagnostics.push({ file, line: index + 1, message: NO_QREL })
      return []
    }
    const [query, , passage] = fields
    return [{ query, passage, labeller: '', grade, line: index + 1 }]
  })
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
  return labels
}
