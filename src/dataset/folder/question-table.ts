import { basename } from 'node:path'
import { type ColumnRole, GRADE, hasRole } from '../../tables/roles.ts'
import { readGrade } from '../../text/numbers.ts'
import type { Json } from '../../types.ts'
import { column, optional, type Picked, pickColumns } from '../columns.ts'
import type { WrittenGold } from '../gold-places.ts'
import type { Fields } from '../lines.ts'
import { answersIn } from '../mappers.ts'
import { attempt } from '../schema.ts'
import type { DataLocation, DatasetSink } from '../sink.ts'

export interface TableRow {
  readonly fields: Fields
  readonly location: DataLocation
}

interface RowsQuestion {
  readonly record: {
    readonly id: string
    readonly text: string
    readonly answers: string[]
    category?: string
    answerable?: boolean
  }
  readonly gold: WrittenGold[]
  readonly location: DataLocation
}

const role = (name: string, ...names: readonly (readonly string[])[]) => optional(column(name, ...names))

/** Columns of a table of questions. Of two names in one rank that hold other things neither is taken. */
const COLUMNS = {
  id: role('id', ['_id'], ['id', 'qid', 'query_id', 'question_id']),
  text: role('question', ['question'], ['query'], ['text'], ['user_input']),
  file: role(
    'file',
    ['file'],
    ['document', 'doc', 'path', 'source', 'doc_id', 'document_id'],
    ['files', 'file_name', 'filename', 'documents', 'docs', 'sources', 'doc_ids', 'document_ids'],
    ['expected_document', 'expected_documents', 'relevant_document', 'relevant_documents', 'relevant_docs'],
  ),
  headings: role('heading', ['heading', 'headings'], ['section']),
  page: role('page', ['page', 'page_number'], ['slide']),
  quote: role(
    'quote',
    ['quote'],
    ['passage', 'context', 'evidence', 'gold'],
    ['quotes', 'passages', 'contexts', 'reference_contexts', 'ground_truth_context'],
  ),
  answer: role(
    'answer',
    ['answer', 'answers', 'expected_answer', 'ground_truth'],
    ['reference_answer', 'ground_truths', 'expected_output'],
    ['reference'],
  ),
  category: role(
    'category',
    ['category'],
    ['type'],
    ['question_type'],
    ['synthesizer_name', 'evolution_type'],
  ),
  group: role('group', ['group']),
  answerable: role('answerable', ['answerable', 'is_answerable']),
} satisfies Record<string, ColumnRole>
type Role = keyof typeof COLUMNS

const TRUTH = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
])
const GOLD: readonly Role[] = ['file', 'headings', 'page', 'quote']

/** Text of a cell; values of JSON other than texts as JSON. */
const textOf = (value: Json | undefined) =>
  typeof value === 'string' ? value.trim() : value == null ? '' : JSON.stringify(value)

/** Questions of rows with a piece of gold each; rows of one id, or of one question, are one. Undefined if the columns are wrong. */
export function questionsOfRows(
  path: string,
  rows: readonly TableRow[],
  sink: DatasetSink,
): RowsQuestion[] | undefined {
  const all = rows.map(({ fields }) => fields)
  const atHeader = (message: string) => sink.diagnostic({ file: path, line: 1, message })
  const picked = pickColumns(all, COLUMNS, atHeader)
  if (!picked) return undefined
  const { names } = picked
  const header = [...new Set(all.flatMap((fields) => Object.keys(fields)))]
  if (names.text === undefined || (names.file ?? names.quote) === undefined) {
    const columns = header.map((name) => `"${name}"`).join(', ')
    atHeader(
      `needs the column "question", and "file" or "quote"; its columns are ${columns}; rename those that hold them`,
    )
    return undefined
  }
  for (const words of [picked.other, unreadInWords(header, all, picked, atHeader)])
    if (words !== '') sink.notice(`${basename(path)}: ${words}`)
  const questions = new Map<string, RowsQuestion>()
  const haveIds = all.some((fields) => names.id !== undefined && textOf(fields[names.id]) !== '')
  for (const { fields, location } of rows) {
    const wrong = (message: string) => sink.diagnostic({ ...location, message })
    const cell = (of: Role) => textOf(names[of] === undefined ? '' : fields[names[of]])
    const [text, id] = [cell('text'), cell('id')]
    if (text === '' && id === '') {
      if (GOLD.some((of) => cell(of) !== ''))
        wrong('has gold and no question; write the question, or its id, in each of its rows')
      continue
    }
    const key = id === '' ? `text ${text}` : `id ${id}`
    const earlier = questions.get(key)
    const question: RowsQuestion = earlier ?? {
      record: { id: id || `q${questions.size + 1}`, text, answers: [] },
      gold: [],
      location,
    }
    const { record, gold } = question
    questions.set(key, question)
    if (text !== '' && text !== record.text)
      wrong(
        `has another text for question "${id}" than line ${question.location.line ?? question.location.file}`,
      )
    if (id === '' && haveIds) wrong('has no id, and other rows have one; write the id in each row')
    attempt(location, sink, () => {
      for (const answer of answersIn(cell('answer')))
        if (!record.answers.includes(answer)) record.answers.push(answer)
    })
    /** Takes a value that the rows of a question share; a row may leave it out. */
    const share = <T>(of: 'category' | 'answerable', earlier: T | undefined, value: T): T => {
      if (earlier !== undefined && earlier !== value)
        wrong(
          `has "${value}" in the column "${String(names[of]).trim()}" for question "${id || text}", and a row above has "${earlier}"; the rows of a question share one`,
        )
      return earlier ?? value
    }
    if (cell('category') !== '') record.category = share('category', record.category, cell('category'))
    const answerable = TRUTH.get(cell('answerable').toLowerCase())
    if (answerable !== undefined) record.answerable = share('answerable', record.answerable, answerable)
    else if (cell('answerable') !== '') wrong(`answerable must be true or false, not "${cell('answerable')}"`)
    gold.push(...goldOfRow(cell, wrong))
  }
  return [...questions.values()]
}

/**
 * Names columns without a role in a notice, '' if there is none. Grades other than 1 are an error: each row is gold. A `score` or
 * `label` has grades if all of its values are.
 */
function unreadInWords(
  header: readonly string[],
  rows: readonly Fields[],
  { names }: Picked,
  wrong: (message: string) => void,
): string {
  const assigned = Object.values(names)
  const isRole = (name: string) => Object.values(COLUMNS).some((role) => hasRole([name], role))
  const unread = header
    .filter((name) => !assigned.includes(name) && !isRole(name) && name.trim() !== '')
    .map((name) => ({ name, values: rows.map((fields) => textOf(fields[name])) }))
    .filter(({ values }) => values.some((value) => value !== ''))
  const isGrade = ({ name, values }: (typeof unread)[number]) =>
    hasRole([name], GRADE) &&
    (!/^(?:score|label)$/i.test(name) ||
      values.every((value) => value === '' || readGrade(value) !== undefined))
  const hasGold = (fields: Fields) =>
    GOLD.some((of) => names[of] !== undefined && textOf(fields[names[of]]) !== '')
  for (const { name, values } of unread.filter(isGrade)) {
    const other = values.find((value, at) => readGrade(value) !== 1 && (value !== '' || hasGold(rows[at])))
    if (other !== undefined)
      wrong(
        `the column "${name}" holds "${other}", and each row of a table of questions is gold: keep the rows of relevant passages, and remove the column`,
      )
  }
  const others = unread.filter((column) => !isGrade(column)).map(({ name }) => `"${name}"`)
  if (others.length === 0) return ''
  return `${others.length === 1 ? 'column' : 'columns'} not read: ${others.join(', ')}`
}

function goldOfRow(cell: (role: Role) => string, wrong: (message: string) => void): WrittenGold[] {
  const page = readGrade(cell('page'))
  if (cell('page') !== '' && page === undefined) wrong(`the page "${cell('page')}" is not a whole number`)
  const [files, quotes] = [listed(cell('file')), listed(cell('quote'))]
  if (files.length > 1 && quotes.length > 1 && files.length !== quotes.length) {
    wrong(`names ${files.length} files and ${quotes.length} quotes: name one file, or one for each quote`)
    return []
  }
  const headings = listed(cell('headings')).flatMap((heading) => heading.split(/(?<!\s)\s+>\s+/))
  const group = cell('group')
  if (GOLD.every((of) => cell(of) === '')) return []
  return Array.from({ length: Math.max(files.length, quotes.length, 1) }, (_, at): WrittenGold => {
    const file = files[files.length > 1 ? at : 0]
    const quote = quotes[quotes.length > 1 ? at : 0]
    return {
      ...(file !== undefined && { file }),
      ...(headings.length > 0 && { headings }),
      ...(page !== undefined && { page }),
      ...(quote !== undefined && { quote }),
      ...(group !== '' && { group }),
    }
  })
}

function listed(cell: string): readonly string[] {
  if (cell === '') return []
  if (!cell.startsWith('[')) return [cell]
  try {
    return answersIn(cell)
  } catch {
    return [cell]
  }
}
