import { z } from 'zod'
import { queryColumn, readQrelTable, type TableLine } from '../tables/qrel-table.ts'
import { readGrade } from '../text/numbers.ts'
import type { Json } from '../types.ts'
import { column, LABEL_COLUMNS, optional, pickColumns, valuesByRole } from './columns.ts'
import { eachFileLine } from './lines.ts'
import { eachRecord, type Fields, TABLE, tabbed } from './records.ts'
import { anId, attempt, parsed } from './schema.ts'
import type { DataLocation, DatasetSink } from './sink.ts'
import type { JudgedUnit } from './types.ts'

/** Reading of the labels of a file. */
interface LabelOptions {
  readonly unit: JudgedUnit
  /** True for columns between white space. */
  readonly isTrec?: boolean
}

/**
 * Labels of a table or of records. Between tabs: `query-id<TAB>corpus-id<TAB>score`, a header line first or none, and our fourth
 * column `group`: labels of one query with the same group are alternatives. TREC's four columns in their place are recognised.
 * Resolves to the columns that were read, if the records have names.
 */
export async function readLabels(
  folder: string,
  file: string,
  { unit, isTrec }: LabelOptions,
  sink: DatasetSink,
): Promise<string | undefined> {
  // Chunks are not cut yet when a dataset is loaded.
  const known = unit === 'document' ? sink.known : { query: sink.known.query }
  if (isTable(file)) {
    const { records, columns } = await readRecords(folder, file, known, sink)
    if (records === 0) sink.diagnostic({ file, message: 'holds no label: the file is empty' })
    return columns
  }
  const lines = await tableLines(folder, file, isTrec, sink)
  if (lines?.length === 0) sink.diagnostic({ file, message: 'holds no label: the file is empty' })
  readQrelTable(
    lines ?? [],
    { isTrec, known },
    {
      qrel(queryId, id, given, line, group) {
        const grade = gradeOf(given, { file, line }, sink)
        if (grade !== undefined) sink.qrel({ queryId, id, grade, group }, { file, line })
      },
      diagnostic: (message, line) => sink.diagnostic({ file, line, message }),
      read: (columns) => sink.notice(`${file}: ${columns}`),
    },
  )
  return undefined
}

/** Ids of the queries that a file of labels names, read without checking. */
export async function judgedQueries(folder: string, file: string, sink: DatasetSink): Promise<string[]> {
  const ids: string[] = []
  if (isTable(file)) {
    await eachRecord(folder, file, sink, (fields) => {
      const picked = pickColumns([fields], { query: LABEL_COLUMNS.query }, () => {})
      ids.push(String(picked && fields[picked.names.query ?? '']))
    })
    return ids
  }
  const [first, ...rest] = (await tableLines(folder, file, false, sink)) ?? []
  if (!first) return ids
  const at = queryColumn(first)
  return (at === undefined ? [first, ...rest] : rest).map(({ fields }) => fields[at ?? 0] ?? '')
}

/** True for a file whose records have names; tables between tabs may lack a header. */
const isTable = (file: string) => TABLE.test(file) && !/\.tsv(?:\.gz)?$/.test(file)

/** Undefined if the file could not be read, which is a diagnostic already. */
async function tableLines(
  folder: string,
  file: string,
  isTrec: boolean | undefined,
  sink: DatasetSink,
): Promise<TableLine[] | undefined> {
  const texts: { text: string; line: number }[] = []
  const given = await eachFileLine(folder, file, sink, (text, line) => void texts.push({ text, line }))
  if (given > texts.length) return undefined
  const isSpaced =
    isTrec || texts.every(({ text }) => !text.includes('\t') && text.trim().split(/\s+/).length === 4)
  return texts.map(({ text, line }) => ({
    fields: isSpaced ? text.trim().split(/\s+/) : text.split('\t').map((field) => field.trim()),
    line,
  }))
}

/** A grade; an error and undefined if it is none. */
function gradeOf(value: Json, location: DataLocation, sink: DatasetSink): number | undefined {
  const grade = readGrade(value)
  const header = location.line === 1 && typeof value === 'string' && !/\d/.test(value)
  if (grade === undefined)
    sink.diagnostic({
      ...location,
      message: `a grade must be a whole number of 32 bits, not ${JSON.stringify(value)}${header ? '; the columns of a header are query-id, corpus-id and score' : ''}`,
    })
  return grade
}

const labelSchema = z.object({ query: anId, document: anId })

async function readRecords(
  folder: string,
  file: string,
  known: DatasetSink['known'] | Pick<DatasetSink['known'], 'query'>,
  sink: DatasetSink,
): Promise<{ readonly records: number; readonly columns?: string }> {
  const rows: { readonly fields: Fields; readonly location: DataLocation }[] = []
  const records = await eachRecord(folder, file, sink, (fields, location) => rows.push({ fields, location }))
  const all = rows.map(({ fields }) => fields)
  const wrong = (message: string) => sink.diagnostic({ file, message })
  const picked = all.length > 0 ? pickColumns(all, LABEL_COLUMNS, wrong, known) : undefined
  if (!picked) return { records }
  const isGraded = picked.names.grade !== undefined
  const graded = isGraded ? undefined : unknownGrade(all, Object.values(picked.names))
  if (graded !== undefined)
    wrong(
      `has no column of grades that Touchstone knows, and \`${graded}\` looks like one; call it \`grade\`, or drop it if every row is relevant`,
    )
  else
    for (const { fields, location } of rows) {
      const values = valuesByRole(fields, picked)
      attempt(location, sink, () => {
        const { query: queryId, document: id } = parsed(labelSchema, values, picked.names)
        const grade = isGraded ? gradeOf(values.grade ?? null, location, sink) : 1
        const group = values.group == null || values.group === '' ? undefined : String(values.group)
        if (grade !== undefined) sink.qrel({ queryId, id, grade, group }, location)
      })
    }
  return { records, columns: isGraded ? picked.read : `${picked.read}, grade=1` }
}

/** Largest value of a column that looks like grades: years, lengths and offsets are larger. */
const MOST = 100

/** A column whose values are all grades or truth values. Iterations, and numbers of rows that pandas writes, are none. */
function unknownGrade(rows: readonly Fields[], taken: readonly (string | undefined)[]): string | undefined {
  const isGrade = (value: Json | undefined) =>
    typeof value === 'boolean' || Math.abs(readGrade(value ?? null) ?? MOST + 1) <= MOST
  return Object.keys(rows[0])
    .filter((name) => !taken.includes(name))
    .filter(
      (name) =>
        !(/^(?:iter|q0$|unnamed\b)/i.test(name) || /(?:^|[_-])(?:idx|index|rank|id)(?:$|[_-])/i.test(name)),
    )
    .find((name) => rows.every((fields) => isGrade(fields[name])))
}

const SPAN_COLUMNS = {
  query: column('query', ['query', 'queryid', 'query_id', 'query-id', 'qid']),
  document: column('document', [
    'document',
    'documentid',
    'document_id',
    'corpus_id',
    'corpusid',
    'docid',
    'doc_id',
    'docno',
    'doc',
  ]),
  start: column('start', ['start', 'startoffset', 'start_offset', 'begin']),
  end: column('end', ['end', 'endoffset', 'end_offset']),
  group: optional(column('group')),
  grade: optional(column('grade', ['grade', 'score', 'relevance'])),
}
const SPAN_NAMES = Object.values(SPAN_COLUMNS).flatMap(({ names }) => names.flat())
const SPAN_ORDER = ['query', 'document', 'start', 'end', 'group']

const offset = z
  .custom<Json>((value) => (readGrade(value as Json) ?? -1) >= 0, {
    error: ({ input }) => `must be a whole number from 0, not \`${input}\``,
  })
  .transform((value) => readGrade(value) as number)
const spanSchema = z.object({
  query: anId,
  document: anId,
  start: offset,
  end: offset,
  group: z.string().optional(),
  grade: offset.optional(),
})

/**
 * Gold spans between tabs: query, document, start and end, UTF-16 offsets into the document's text, end excluded, and a
 * `group` as of labels. A header names the columns, in any order, and may name a `grade` too.
 */
export async function readSpans(folder: string, file: string, sink: DatasetSink): Promise<void> {
  const isHeader = (fields: readonly string[]) =>
    fields.some((name) => SPAN_NAMES.includes(name.trim().toLowerCase().replace(/[\s-]/g, '_')))
  const order = (lines: readonly (readonly string[])[]) => SPAN_ORDER.slice(0, Math.max(4, lines[0].length))
  const rows: { readonly fields: Fields; readonly location: DataLocation }[] = []
  await tabbed(isHeader, order)(folder, file, sink, (fields, location) => rows.push({ fields, location }))
  if (rows.length === 0) return
  const picked = pickColumns(
    rows.map(({ fields }) => fields),
    SPAN_COLUMNS,
    (message) => sink.diagnostic({ file, line: 1, message }),
  )
  if (!picked) return
  for (const { fields, location } of rows) {
    const values = Object.entries(valuesByRole(fields, picked)).map(([role, value]) => [
      role,
      String(value ?? '').trim() || undefined,
    ])
    attempt(location, sink, () => {
      const { query, document, group, ...place } = parsed(
        spanSchema,
        Object.fromEntries(values),
        picked.names,
      )
      const { grade, ...range } = place
      const span = { documentId: document, ...range, ...(grade !== undefined && { grade }) }
      sink.span(query, span, location, group)
    })
  }
}
