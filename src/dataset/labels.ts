import { z } from 'zod'
import { readQrelTable, type TableLine } from '../tables/qrel-table.ts'
import { DOCUMENT, QUERY } from '../tables/roles.ts'
import { readGrade } from '../text/numbers.ts'
import type { Json } from '../types.ts'
import { column, LABEL_COLUMNS, optional, pickColumns, valuesByRole } from './columns.ts'
import type { FileRule } from './format.ts'
import { eachFileLine, type Fields } from './lines.ts'
import { eachRecord, TABLE, tabbed } from './records.ts'
import { anId, attempt, parsed } from './schema.ts'
import type { DataLocation, DatasetSink } from './sink.ts'
import type { JudgedUnit } from './types.ts'

interface LabelOptions {
  readonly unit: JudgedUnit
  readonly isTrec?: boolean
}

/**
 * Reads labels of a table or of records. Between tabs: `query-id<TAB>corpus-id<TAB>score` and our fourth column `group`, with or
 * without a header, or TREC's four columns. Resolves to the columns that were read, if the records have names.
 */
export async function readLabels(
  folder: string,
  file: string,
  { unit, isTrec }: LabelOptions,
  sink: DatasetSink,
): Promise<string | undefined> {
  // Chunks are not cut yet when a dataset is loaded.
  const knownIds = unit === 'document' ? sink.known : { query: sink.known.query }
  // Tables between tabs may lack a header.
  if (TABLE.test(file) && !/\.tsv(?:\.gz)?$/.test(file)) return readRecords(folder, file, knownIds, sink)
  const texts: { text: string; line: number }[] = []
  const lines = await eachFileLine(folder, file, sink, (text, line) => void texts.push({ text, line }))
  if (lines === 0) sink.diagnostic({ file, message: EMPTY })
  // The error of a file that could not be read is enough.
  if (lines > texts.length) return undefined
  const isSpaced =
    isTrec || texts.every(({ text }) => !text.includes('\t') && text.trim().split(/\s+/).length === 4)
  const rows = texts.map(
    ({ text, line }): TableLine => ({
      fields: isSpaced ? text.trim().split(/\s+/) : text.split('\t').map((field) => field.trim()),
      line,
    }),
  )
  readQrelTable(
    rows,
    { isTrec, known: knownIds },
    {
      qrel(queryId, id, gradeText, line, group) {
        const grade = gradeOf(gradeText, { file, line }, sink)
        if (grade !== undefined) sink.qrel({ queryId, id, grade, group }, { file, line })
      },
      diagnostic: (message, line) => sink.diagnostic({ file, line, message }),
      read: (columns) => sink.notice(`${file}: ${columns}`),
    },
  )
  return undefined
}

const EMPTY = 'holds no label: the file is empty'

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
  knownIds: Partial<DatasetSink['known']>,
  sink: DatasetSink,
): Promise<string | undefined> {
  const rows: { readonly fields: Fields; readonly location: DataLocation }[] = []
  const records = await eachRecord(folder, file, sink, (fields, location) => rows.push({ fields, location }))
  const all = rows.map(({ fields }) => fields)
  const wrong = (message: string) => sink.diagnostic({ file, message })
  if (records === 0) wrong(EMPTY)
  const picked = all.length > 0 ? pickColumns(all, LABEL_COLUMNS, wrong, knownIds) : undefined
  if (!picked) return undefined
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
  return isGraded ? picked.read : `${picked.read}, grade=1`
}

/** Largest value of a column that looks like grades: years, lengths and offsets are larger. */
const MOST = 100

/** A column whose values are all grades or truth values. Iterations, and numbers of rows that pandas writes, are none. */
function unknownGrade(
  rows: readonly Fields[],
  assigned: readonly (string | undefined)[],
): string | undefined {
  const isGrade = (value: Json | undefined) =>
    typeof value === 'boolean' || Math.abs(readGrade(value ?? null) ?? MOST + 1) <= MOST
  return Object.keys(rows[0])
    .filter((name) => !assigned.includes(name))
    .filter(
      (name) =>
        !(/^(?:iter|q0$|unnamed\b)/i.test(name) || /(?:^|[_-])(?:idx|index|rank|id)(?:$|[_-])/i.test(name)),
    )
    .find((name) => rows.every((fields) => isGrade(fields[name])))
}

const SPAN_COLUMNS = {
  query: { ...QUERY, names: [...QUERY.names, ['query']] },
  document: DOCUMENT,
  start: column('start', ['start', 'start_offset', 'startoffset', 'begin']),
  end: column('end', ['end', 'end_offset', 'endoffset']),
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
const trimmed = (fields: unknown) =>
  Object.fromEntries(
    Object.entries(fields as Fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  )
const absent = (value: unknown) => (String(value ?? '') === '' ? undefined : value)

/**
 * Gold spans between tabs: query, document, start, end (UTF-16 offsets, end excluded) and a `group`, as of labels. A header names the
 * columns in any order, and may name a `grade`.
 */
export const SPANS = {
  columns: SPAN_COLUMNS,
  records: tabbed(
    (fields) => fields.some((name) => SPAN_NAMES.includes(name.trim().toLowerCase().replace(/[\s-]/g, '_'))),
    (lines) => SPAN_ORDER.slice(0, Math.max(4, lines[0].length)),
  ),
  schema: z.preprocess(
    trimmed,
    z.object({
      query: anId,
      document: anId,
      start: offset,
      end: offset,
      group: z.preprocess(absent, z.coerce.string().optional()),
      grade: z.preprocess(absent, offset.optional()),
    }),
  ),
} satisfies Partial<FileRule>

export type SpanValues = z.output<typeof SPANS.schema>
