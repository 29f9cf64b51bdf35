import { z } from 'zod'
import type { ColumnChoice, ColumnRole } from '../tables/roles.ts'
import { isMap } from '../text/json.ts'
import { isBrokenList, jsonIn } from '../text/printed-lists.ts'
import type { Json } from '../types.ts'
import { answersIn, brokenAnswers, passagesIn, takeContexts, textsOf } from './contexts.ts'
import { columnsParam } from './dataset-roles.ts'
import { policyShape } from './policies.ts'
import { idOf, pickColumns, placeOf, type Row, readRows } from './rows.ts'
import type { DatasetSink } from './sink.ts'
import { WRAPPERS } from './source.ts'

/** Questions of evaluation tools: a question, its contexts and its answers in fields of many names. */

const ANY = { fits: () => true }
const IN = ['', 'inputs.', 'input.', 'vars.', 'inputs_', 'input_', 'input_vars.']
const OUT = [
  ...[
    '',
    'outputs.',
    'output.',
    'outputs_',
    'output_',
    'expectedoutput.',
    'expected_output.',
    'reference_outputs.',
  ],
  ...['metadata.', 'metadata_', 'inputs.', 'input.', 'inputs_', 'input_', 'vars.'],
]
const under = (prefixes: readonly string[], names: readonly string[]) =>
  prefixes.flatMap((prefix) => names.map((name) => `${prefix}${name}`))

const QUERIES = ['user_input', 'question', 'query']
const OTHER_QUERIES = ['input', 'prompt', 'text', 'inputs', 'user_query', 'message']
const ANSWERS = [
  'reference',
  'ground_truth',
  'ground_truths',
  'reference_answer',
  'expected_answer',
  'expected',
]
const OTHER_ANSWERS = ['answer', 'answers', 'output', 'expectedoutput', 'expected_output', 'outputs']
/** Names of the one text that an object holds. */
const SINGLE = [...QUERIES, ...OTHER_QUERIES, ...ANSWERS, ...OTHER_ANSWERS, 'content']

/** Contexts that somebody marked as right go before those that a system retrieved. */
const ROLES = {
  id: { name: 'id', names: [['id'], ['item_id', 'example_id', 'uid']], ...ANY, optional: true },
  query: {
    name: 'query',
    names: [under(IN, QUERIES), under(IN, OTHER_QUERIES)],
    ...ANY,
  },
  contexts: {
    name: 'contexts',
    names: [
      under(OUT, [
        'reference_contexts',
        'gold_contexts',
        'expected_contexts',
        'ground_truth_contexts',
        'ground_truth_context',
      ]),
      under(OUT, ['contexts', 'context', 'documents', 'passages', 'source_documents']),
    ],
    ...ANY,
    optional: true,
  },
  answer: {
    name: 'answer',
    names: [under(OUT, ANSWERS), under(OUT, OTHER_ANSWERS)],
    ...ANY,
    optional: true,
  },
  category: {
    name: 'category',
    names: [['synthesizer_name', 'evolution_type', 'question_type'], under(OUT, ['category'])],
    ...ANY,
    optional: true,
  },
} satisfies Record<string, ColumnRole>

/** Params of formats that hold such questions. */
export const questionParams = z.strictObject({
  path: z.string().describe('the file'),
  columns: columnsParam(['id', 'query', 'contexts', 'answer', 'category']),
  ...policyShape,
})

interface QuestionRows {
  /** Name of the tool, for messages. */
  readonly tool: string
  readonly file: string
  readonly columns?: ColumnChoice
  /** Reads a context as the tool wrote it. */
  readonly clean?: (text: string) => string
}

/** Rows of one file, with what is nested in them one level up: `inputs.question`. */
export async function readFlatRows(path: string, sink: DatasetSink): Promise<Row[]> {
  const { folder, file } = placeOf(path)
  const rows = await readRows(folder, file, sink)
  return aligned((/\.json(\.gz)?$/.test(file) && rows.length === 1 ? rowsIn(rows[0], sink) : rows).map(flat))
}

/** Texts among objects of the same field, `"x"` among `{"answer": "x"}`, named as the objects name them. */
function aligned(rows: Row[]): Row[] {
  const names = new Set(rows.flatMap(({ fields }) => Object.keys(fields)))
  const renamed = new Map<string, string>()
  for (const name of names) {
    const within = SINGLE.map((inner) => `${name}.${inner}`).filter((one) => names.has(one))
    if (within.length === 1) renamed.set(name, within[0])
  }
  if (renamed.size === 0) return rows
  return rows.map(({ fields, location }) => ({
    fields: Object.fromEntries(
      Object.entries(fields).map(([key, value]) => {
        const other = renamed.get(key)
        return [other === undefined || Object.hasOwn(fields, other) ? key : other, value]
      }),
    ),
    location,
  }))
}

/** Rows of an object: of the list that it wraps, or of its columns; else the object is the row. */
function rowsIn(row: Row, sink: DatasetSink): Row[] {
  const { fields, location } = row
  const key = WRAPPERS.find((name) => Array.isArray(fields[name]) && (fields[name] as Json[]).every(isMap))
  if (key === undefined) return byColumns(row)
  const list = fields[key] as Row['fields'][]
  const meta = isMap(fields.meta) ? fields.meta : {}
  if (typeof meta.totalItems === 'number' && meta.totalItems > list.length)
    sink.notice(
      `holds ${list.length} of ${meta.totalItems} items: page ${meta.page ?? '?'} of ${meta.totalPages ?? '?'}; the others are not read`,
    )
  return list.map((one, index) => ({
    fields: one,
    location: { file: `${location.file}, ${key} ${index + 1}` },
  }))
}

/** Rows of a table written by columns, `{"question": ["x", "y"]}` or `{"question": {"0": "x", "1": "y"}}`; else the row. */
function byColumns(row: Row): Row[] {
  const columns = Object.entries(row.fields).map(
    ([name, cells]) => [name, isMap(cells) ? (cells as Readonly<Record<string, Json>>) : cells] as const,
  )
  const keysOf = (cells: Json) => (typeof cells === 'object' && cells !== null ? Object.keys(cells) : [])
  const keys = keysOf(columns[0][1])
  const isTable =
    columns.length > 1 &&
    keys.every((key) => /^\d+$/.test(key)) &&
    columns.every(([, cells]) => keys.length > 0 && keysOf(cells).join() === keys.join())
  if (!isTable) return [row]
  return keys.map((key) => ({
    fields: Object.fromEntries(
      columns.map(([name, cells]) => [name, (cells as Readonly<Record<string, Json>>)[key]]),
    ),
    location: { file: `${row.location.file}, row ${key}` },
  }))
}

/** Fields of a row and of the objects in them; null is no field. */
export function flat({ fields, location }: Row): Row {
  const entries = Object.entries(fields).flatMap(([key, value]): [string, Json][] => {
    const parsed = typeof value === 'string' && /^\s*\{/.test(value) ? (jsonIn(value) ?? value) : value
    if (!isMap(parsed)) return [[key, parsed as Json]]
    return Object.entries(parsed).map(([inner, one]) => [`${key}.${inner}`, one as Json])
  })
  return { fields: Object.fromEntries(entries.filter(([, value]) => value !== null)), location }
}

/** Hands questions and the union of their contexts to a sink. */
export function takeQuestionRows(
  rows: readonly Row[],
  { tool, file, columns, clean = (text) => text }: QuestionRows,
  sink: DatasetSink,
): void {
  if (rows.length === 0) sink.diagnostic({ file, message: 'holds no question' })
  const picked = rows.length > 0 ? pickColumns(rows, ROLES, { file, columns }, sink) : undefined
  if (!picked) return
  if (!/\bcontexts=/.test(picked.read)) {
    const names = Object.keys(rows[0].fields).join(', ')
    sink.diagnostic({
      file,
      message: `holds questions of ${tool} and no contexts, so no gold (its fields: ${names}); say which field holds them with \`columns: {contexts: NAME}\`, or attach the questions to a folder of documents with \`questions\``,
    })
    return
  }
  const contexts = takeContexts(sink)
  for (const [index, row] of rows.entries()) {
    const { location } = row
    const given = picked.of(row, 'id')
    const id = given === null ? String(index + 1) : idOf(given, 'question', location, sink)
    const asked = questionsIn(picked.of(row, 'query'))
    if (asked.length > 1)
      sink.diagnostic({
        ...location,
        message: `holds ${asked.length} questions in one field; write a record for each`,
      })
    const listed = picked.of(row, 'contexts')
    if (isBrokenList(listed))
      sink.diagnostic({
        ...location,
        message: `the contexts are no readable list: ${JSON.stringify(String(listed).slice(0, 60))}; write them as a JSON list of texts`,
      })
    const [text = ''] = asked
    if (id === undefined) continue
    const [category = null] = textsOf(picked.of(row, 'category'))
    const answers = answersIn(picked.of(row, 'answer'))
    if (answers === undefined)
      sink.diagnostic({ ...location, message: brokenAnswers(picked.of(row, 'answer')) })
    const gold = passagesIn(listed).map((one) => ({ ...one, text: clean(one.text) }))
    contexts.add({ id, text, answers: answers ?? [], category, gold }, location)
  }
  contexts.close()
  sink.notice(`read as ${tool}: ${file}; ${picked.read}, grade=1`)
}

/** Questions in a field; of a chat, the messages of its user. */
function questionsIn(value: Json): string[] {
  if (!Array.isArray(value)) return textsOf(value)
  return value.flatMap((one: Json) => {
    if (!isMap(one)) return textsOf(one)
    const isUser = /^(?:user|human)$/.test(String(one.role ?? one.type))
    return isUser ? textsOf(one.content as Json) : []
  })
}
