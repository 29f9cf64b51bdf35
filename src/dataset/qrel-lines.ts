import { queryColumn, readQrelTable, type TableLine } from '../tables/qrel-table.ts'
import type { ColumnChoice } from '../tables/roles.ts'
import { readGrade } from '../text/numbers.ts'
import { eachFileLine } from './lines.ts'
import type { DatasetSink } from './sink.ts'
import type { JudgedUnit } from './types.ts'

const NO_JUDGEMENT = 'holds no qrels: the file is empty'

/** Reads a grade; an error and undefined where it is none. */
function gradeOf(text: string, file: string, line: number, sink: DatasetSink): number | undefined {
  const grade = readGrade(text)
  if (grade !== undefined) return grade
  const header =
    line === 1 && !/\d/.test(text) ? '; the columns of a header are query-id, corpus-id and score' : ''
  sink.diagnostic({
    file,
    line,
    message: `a grade must be a whole number of 32 bits, not "${text}"${header}`,
  })
  return undefined
}

/**
 * Qrels of a BEIR folder: `query-id<TAB>corpus-id<TAB>score`, a header line first or none, and our fourth column
 * `group`: qrels of one query with the same group are alternatives, a group is found when one of them is. TREC's four
 * columns in its place are recognised, with tabs or with spaces. `columns` decides where names and content do not;
 * `unit`: the unit that is judged.
 */
export async function readQrelLines(
  folder: string,
  file: string,
  { columns, unit }: { readonly columns?: ColumnChoice; readonly unit: JudgedUnit },
  sink: DatasetSink,
): Promise<void> {
  const lines = await tableLines(folder, file, sink)
  if (!lines) return
  if (lines.length === 0) return sink.diagnostic({ file, message: NO_JUDGEMENT })
  readLines(lines, file, { columns, unit }, sink)
}

function readLines(
  lines: readonly TableLine[],
  file: string,
  {
    unit = 'document',
    ...options
  }: { readonly columns?: ColumnChoice; readonly unit?: JudgedUnit; readonly isTrec?: boolean },
  sink: DatasetSink,
): void {
  // Chunks are not cut yet when a dataset is loaded.
  const known = unit === 'document' ? sink.known : { query: sink.known.query }
  readQrelTable(
    lines,
    { ...options, known, say },
    {
      qrel(queryId, id, given, line, group) {
        const grade = gradeOf(given, file, line, sink)
        if (grade !== undefined) sink.qrel({ queryId, id, grade, group }, { file, line })
      },
      diagnostic: (message, line) => sink.diagnostic({ file, line, message }),
      read: (columns) => sink.notice(`${file}: ${columns}`),
    },
  )
}

/** Undefined if the file could not be read, which is a diagnostic already. */
async function tableLines(folder: string, file: string, sink: DatasetSink): Promise<TableLine[] | undefined> {
  const texts: { text: string; line: number }[] = []
  const given = await eachFileLine(folder, file, sink, (text, line) => void texts.push({ text, line }))
  if (given > texts.length) return undefined
  const isSpaced = texts.every(({ text }) => !text.includes('\t') && text.trim().split(/\s+/).length === 4)
  return texts.map(({ text, line }) => ({
    fields: isSpaced ? text.trim().split(/\s+/) : text.split('\t').map((field) => field.trim()),
    line,
  }))
}

function say(choice: ColumnChoice): string {
  const pairs = Object.entries(choice).map(([role, column]) => `${role}: ${column}`)
  return `\`columns: {${pairs.join(', ')}}\` of the dataset`
}

/** TREC's qrels between white space: `query iteration document grade`, or the columns of a header or of ir_datasets' TSV. */
export async function readTrecQrels(folder: string, file: string, sink: DatasetSink): Promise<void> {
  const lines: TableLine[] = []
  const given = await eachFileLine(folder, file, sink, (text, line) => {
    lines.push({ fields: text.trim().split(/\s+/), line })
  })
  if (given > lines.length) return
  if (lines.length === 0) return sink.diagnostic({ file, message: NO_JUDGEMENT })
  readLines(lines, file, { isTrec: true }, sink)
}

/** Columns of gold spans by their names, and in the order of a file without a header. */
const SPAN_COLUMNS = {
  query: ['query', 'queryid', 'qid'],
  document: ['document', 'documentid', 'corpusid', 'docid', 'docno', 'doc'],
  start: ['start', 'startoffset', 'begin'],
  end: ['end', 'endoffset'],
  group: ['group'],
  grade: ['grade', 'score', 'relevance'],
}
type SpanColumn = keyof typeof SPAN_COLUMNS

/** Places of the columns in a header; undefined for a line that is none. */
function spanHeader(fields: readonly string[]): Readonly<Record<SpanColumn, number>> | undefined {
  const names = fields.map((name) => name.toLowerCase().replace(/[\s_-]/g, ''))
  const found = Object.entries(SPAN_COLUMNS).map(([role, known]) => [
    role,
    names.findIndex((name) => known.includes(name)),
  ])
  return found.some(([, at]) => Number(at) >= 0) ? Object.fromEntries(found) : undefined
}

/**
 * Gold spans between tabs: query, document, start and end, UTF-16 offsets into the document's text, end excluded, and a
 * `group` as in `readQrelLines`. A header names the columns, in any order, and may name a `grade` too; without one they are in
 * this order.
 */
export async function readSpans(folder: string, file: string, sink: DatasetSink): Promise<void> {
  let columns: Readonly<Record<SpanColumn, number>> = {
    query: 0,
    document: 1,
    start: 2,
    end: 3,
    group: 4,
    grade: -1,
  }
  let isNamed = false
  await eachFileLine(folder, file, sink, (text, line) => {
    const fields = text.split('\t').map((field) => field.trim())
    const wrong = (message: string) => sink.diagnostic({ file, line, message })
    const header = line === 1 ? spanHeader(fields) : undefined
    if (header) {
      const lacking = Object.keys(header).filter(
        (role) => role !== 'group' && role !== 'grade' && header[role as SpanColumn] < 0,
      )
      if (lacking.length > 0)
        wrong(`names no column ${lacking.join(', ')}; its columns are ${fields.join(', ')}`)
      else [columns, isNamed] = [header, true]
      return
    }
    const needed = 1 + Math.max(columns.query, columns.document, columns.start, columns.end)
    if (fields.length < needed || (!isNamed && fields.length > 5))
      return wrong(
        `has ${count(fields.length, 'column')} separated by tabs, not query, document, start, end (and group)`,
      )
    const cell = (role: SpanColumn) => fields[columns[role]] ?? ''
    const [start, end] = [readGrade(cell('start')), readGrade(cell('end'))]
    if (start === undefined || end === undefined || start < 0 || end < 0)
      return wrong(`start and end must be whole numbers, not "${cell('start')}" and "${cell('end')}"`)
    const given = cell('grade')
    const grade = readGrade(given)
    if (given !== '' && (grade === undefined || grade < 0))
      return wrong(`the grade must be a whole number, not "${given}"`)
    const span = { documentId: cell('document'), start, end, ...(grade !== undefined && { grade }) }
    sink.span(cell('query'), span, { file, line }, cell('group') || undefined)
  })
}

/** The queries that a file of BEIR qrels names, read without checking. */
export async function readJudgedQueries(folder: string, file: string, sink: DatasetSink): Promise<void> {
  const [first, ...rest] = (await tableLines(folder, file, sink)) ?? []
  if (!first) return
  const column = queryColumn(first)
  for (const { fields } of column === undefined ? [first, ...rest] : rest)
    sink.elsewhere(fields[column ?? 0] ?? '')
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
