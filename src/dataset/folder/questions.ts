import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { UserError } from '../../errors.ts'
import { readBytes, readText } from '../../store/input.ts'
import { assignColumns, type ColumnRole, GRADE, hasRole } from '../../tables/roles.ts'
import { keptQuotes, parseCsv, parseTsv } from '../../text/csv.ts'
import { type HeadingSection, sectionsOf } from '../../text/headings.ts'
import { kindOf } from '../../text/ids.ts'
import { isMap } from '../../text/json.ts'
import { didYouMean } from '../../text/nearest.ts'
import { readGrade } from '../../text/numbers.ts'
import type { Document, Json } from '../../types.ts'
import { answersIn, brokenAnswers } from '../contexts.ts'
import { type GoldPlace, goldRange, quoteRanges, type TextRange } from '../gold-places.ts'
import { eachFileLine } from '../lines.ts'
import { misplacedFields, parseRecord, queryOf } from '../records.ts'
import { readRows } from '../rows.ts'
import type { DataLocation, DatasetSink } from '../sink.ts'
import { openSource } from '../source.ts'
import { Unreadable } from './reader.ts'

/** One piece of gold as a question names it. Without headings, page and quote it is the whole document. */
interface WrittenGold extends GoldPlace {
  /** A document, a file of several documents, or the key of one row of all tables; undefined for a quote that is searched in all of them. */
  readonly file?: string
  /** Page of a PDF, or slide, from 1. */
  readonly page?: number
  /** Pieces of one question with the same group are alternatives: one of them is enough. */
  readonly group?: string
}

type Fields = Readonly<Record<string, unknown>>
type Take = (fields: Fields, location: DataLocation) => void

/**
 * Questions over a folder of documents. As JSONL one object a line, as in BEIR, with gold in the same line:
 *
 *     {"_id", "text", "metadata": {"category", "answers", "answerable"},
 *      "gold": [{"file", "headings": [...], "page", "quote", "group"}]}
 *
 * As CSV, TSV or XLSX one piece of gold a row, in the columns question, and some of id, file, heading, page, quote, answer,
 * category, group, answerable; as JSON or JSONL records with these keys. Gold becomes spans of characters, which hold for every chunking. Every place of a quote is an
 * alternative.
 */
export async function readQuestions(
  path: string,
  documents: readonly Document[],
  sink: DatasetSink,
): Promise<void> {
  const byName = documentsByName(documents)
  const sections = new Map<string, readonly HeadingSection[]>()
  const sectionsIn = ({ id, text }: Document) => {
    const known = sections.get(id) ?? sectionsOf(text)
    sections.set(id, known)
    return known
  }
  const place = (gold: WrittenGold): PlacedRange[] | string => {
    const named = gold.file === undefined ? documents : byName.get(gold.file.normalize())
    if (!named)
      return `gold names the file "${gold.file}", which the folder does not hold${didYouMean(gold.file as string, byName.keys())}`
    const found = named.map((document) => rangesIn(document, gold, sectionsIn))
    const ranges = found.flatMap((one, at) =>
      typeof one === 'string' ? [] : one.map((range) => ({ documentId: named[at].id, ...range })),
    )
    if (ranges.length > 0) return ranges
    if (gold.file === undefined) return `no document holds the quote "${gold.quote}"`
    return `${gold.file} ${named.length === 1 ? found[0] : `has no document with "${gold.quote ?? gold.headings?.join(' > ')}"`}`
  }
  let questions = 0
  const take: Take = (fields, location) => {
    const query = queryOf(fields, { id: '_id', text: 'text' }, location, sink)
    if (!query) return
    questions++
    sink.query(query, location)
    const wrong = (message: string) => {
      sink.diagnostic({ ...location, message })
      // That it then has no gold goes without saying.
      sink.elsewhere(query.id)
    }
    goldOf(fields.gold ?? [], wrong).forEach((gold, number) => {
      const ranges = place(gold)
      if (typeof ranges === 'string') {
        const message = ranges.startsWith('gold names') ? ranges : `gold of query "${query.id}": ${ranges}`
        sink.missing(query.id, { name: nameOf(gold), message, group: gold.group }, location)
        return
      }
      const group = gold.group ?? (ranges.length > 1 ? `gold ${number + 1}` : undefined)
      for (const range of ranges) sink.span(query.id, range, location, group)
    })
  }
  if (isTable(path)) {
    if (!(await eachTableQuestion(path, sink, take))) return
  } else {
    const misplaced = misplacedFields(basename(path), sink, ['_id', 'text', 'metadata', 'gold'])
    const lines = await eachFileLine(dirname(path), basename(path), atPath(path, sink), (line, number) => {
      const location = { file: path, line: number }
      const fields = parseRecord(line, location, sink)
      if (!fields) return
      misplaced.see(fields)
      take(fields, location)
    })
    misplaced.close()
    if (lines > 0) return
  }
  if (questions === 0) sink.diagnostic({ file: path, message: 'holds no question' })
}

/** Documents by what gold may call them: an id, a file that holds several, or the key of one row of all tables. */
function documentsByName(documents: readonly Document[]): ReadonlyMap<string, readonly Document[]> {
  const named = new Map<string, Document[]>()
  const keyed = new Map<string, Document[]>()
  const add = (to: Map<string, Document[]>, name: string, document: Document) => {
    const known = to.get(name)
    if (known) known.push(document)
    else to.set(name, [document])
  }
  for (const document of documents) {
    const { id, metadata } = document
    // A Mac writes names with decomposed letters, people do not.
    for (const name of new Set([id, String(metadata.path ?? id)])) add(named, name.normalize(), document)
    if (id.includes('#')) add(keyed, id.slice(id.indexOf('#') + 1).normalize(), document)
  }
  for (const [key, rows] of keyed) if (!named.has(key) && rows.length === 1) named.set(key, rows)
  return named
}

/** True for rows, and for records without a list of gold whose keys are those of a table. */
function isTable(path: string): boolean {
  if (/\.(csv|tsv|xlsx|json)$/i.test(path)) return true
  if (!existsSync(path)) return false
  const { kind, keys, head } = openSource(path).shape(basename(path))
  const isOwn = head.includes('"gold"') || (keys.includes('_id') && keys.includes('text'))
  return kind === 'records' && keys.length > 0 && !isOwn
}

type PlacedRange = TextRange & { readonly documentId: string }

/** Places of gold in a document; a text says what is wrong. */
function rangesIn(
  document: Document,
  { headings, page, quote }: WrittenGold,
  sectionsIn: (document: Document) => readonly HeadingSection[],
): TextRange[] | string {
  const { text, metadata } = document
  const within =
    page === undefined ? { start: 0, end: text.length } : pageRange(metadata.pages, page, text.length)
  if (typeof within === 'string') return within
  if (headings === undefined && quote === undefined) return [within]
  const isWithin = ({ start, end }: TextRange) => within.start <= start && end <= within.end
  if (quote !== undefined) {
    const all = headings && sectionsIn(document).filter(({ path }) => path.join('\n') === headings.join('\n'))
    const found = quoteRanges(text, quote).filter(
      (range) =>
        isWithin(range) && (!all || all.some(({ start, end }) => start <= range.start && range.start < end)),
    )
    if (found.length > 0) return found
    if (page !== undefined) return `does not hold the quote "${quote}" on page ${page}`
  }
  const one = goldRange(text, { headings, quote }, sectionsIn(document))
  return typeof one === 'string' ? one : [one]
}

function pageRange(pages: unknown, page: number, length: number): TextRange | string {
  if (!Array.isArray(pages)) return 'has no pages'
  if (page < 1 || page > pages.length) return `has ${pages.length} pages, and gold names page ${page}`
  return { start: pages[page - 1], end: pages[page] ?? length }
}

function nameOf({ file = '', headings = [], page, quote }: WrittenGold): string {
  return [
    file,
    ...headings,
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(quote === undefined ? [] : [quote]),
  ].join(' > ')
}

/** Errors of reading lines name the file as it was named to us, not below the folder of the corpus. */
function atPath(path: string, sink: DatasetSink): DatasetSink {
  return { ...sink, diagnostic: (diagnostic) => sink.diagnostic({ ...diagnostic, file: path }) }
}

const column = (name: string, ...names: (readonly string[])[]): ColumnRole => ({
  name,
  names,
  fits: () => true,
  optional: true,
})

/** Columns of a table of questions. Of two names in one rank that hold other things neither is taken. */
const COLUMNS = {
  id: column('id', ['_id'], ['id', 'qid', 'query_id', 'question_id']),
  text: column('question', ['question'], ['query'], ['text'], ['user_input']),
  file: column(
    ...(['file', ['file'], ['document', 'doc', 'path', 'source', 'doc_id', 'document_id']] as const),
    ['files', 'file_name', 'filename', 'documents', 'docs', 'sources', 'doc_ids', 'document_ids'],
    ['expected_document', 'expected_documents', 'relevant_document', 'relevant_documents', 'relevant_docs'],
  ),
  headings: column('heading', ['heading', 'headings'], ['section']),
  page: column('page', ['page', 'page_number'], ['slide']),
  quote: column(...(['quote', ['quote'], ['passage', 'context', 'evidence', 'gold']] as const), [
    'quotes',
    'passages',
    'contexts',
    'reference_contexts',
    'ground_truth_context',
  ]),
  answer: column(
    ...(['answer', ['answer', 'answers', 'expected_answer', 'ground_truth']] as const),
    ['reference_answer', 'ground_truths', 'expected_output'],
    ['reference'],
  ),
  category: column(
    ...(['category', ['category'], ['type']] as const),
    ['question_type'],
    ['synthesizer_name', 'evolution_type'],
  ),
  group: column('group', ['group']),
  answerable: column('answerable', ['answerable', 'is_answerable']),
} as const
type Role = keyof typeof COLUMNS

const TRUTH = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
])
const ROLES = Object.keys(COLUMNS) as Role[]
const GOLD: readonly Role[] = ['file', 'headings', 'page', 'quote']

/** A value of a question with the line that states it first. */
interface Stated<T> {
  readonly value: T
  readonly line: number
}

interface TableQuestion {
  readonly fields: Fields
  /** Answers of all rows. */
  readonly answers: Set<string>
  category?: Stated<string>
  answerable?: Stated<boolean>
  readonly gold: WrittenGold[]
  readonly location: DataLocation
}

/**
 * Reads a table with a piece of gold a row; rows of one id, or of one question, are one question. Resolves to false if its
 * header is wrong, which is a diagnostic.
 */
async function eachTableQuestion(path: string, sink: DatasetSink, take: Take): Promise<boolean> {
  const rows = /\.xlsx$/i.test(path)
    ? await spreadsheetRows(path, sink)
    : /\.[ct]sv$/i.test(path)
      ? csvRows(path, sink)
      : await recordRows(path, sink)
  const [head, ...body] = rows
  if (!head) return true
  const valuesOf = (index: number) => body.map(({ fields }) => fields[index] ?? '')
  const wrong = (message: string, line = head.line) => sink.diagnostic({ file: path, line, message })
  const say = () => 'a header that has one of them'
  const assigned = assignColumns(head.fields, Object.values(COLUMNS), valuesOf, { say }, (message) =>
    wrong(message),
  )
  if (!assigned) return false
  if (assigned.read) sink.notice(`${basename(path)}: ${assigned.read}`)
  const columns = Object.fromEntries(ROLES.map((role, index) => [role, assigned.indexes[index]])) as Record<
    Role,
    number
  >
  if (columns.text < 0 || (columns.file < 0 && columns.quote < 0)) {
    wrong(
      `needs the column "question", and "file" or "quote"; its columns are ${head.fields.map((name) => `"${name}"`).join(', ')}; rename those that hold them`,
    )
    return false
  }
  const hasGold = body.map(({ fields }) =>
    GOLD.some((role) => columns[role] >= 0 && (fields[columns[role]] ?? '').trim() !== ''),
  )
  const unread = unreadInWords(unreadColumns(head.fields, Object.values(columns), valuesOf), hasGold, wrong)
  if (unread !== '') sink.notice(`${basename(path)}: ${unread}`)
  const questions = new Map<string, TableQuestion>()
  /** Ids by text, for questions that have one. */
  const texts = new Map<string, Stated<string>>()
  const shared = sharedValues((role) => head.fields[columns[role]].trim(), wrong)
  for (const { fields, line } of body) {
    // Spreadsheets leave out empty cells at a row's end.
    if (fields.slice(head.fields.length).some((field) => field.trim() !== ''))
      wrong(`has ${fields.length} fields; the header has ${head.fields.length}`, line)
    const cell = (role: Role) => (columns[role] < 0 ? '' : (fields[columns[role]] ?? '').trim())
    const location = { file: path, line }
    const [text, id, page] = [cell('text'), cell('id'), readGrade(cell('page'))]
    if (text === '' && id === '') {
      if (GOLD.some((role) => cell(role) !== ''))
        wrong('has gold and no question; write the question, or its id, in each of its rows', line)
      continue
    }
    if (cell('page') !== '' && page === undefined)
      sink.diagnostic({ ...location, message: `the page "${cell('page')}" is not a whole number` })
    const [key, name] = id === '' ? [`text ${text}`, text] : [`id ${id}`, id]
    const known = questions.get(key)
    if (known && text !== '' && text !== known.fields.text)
      wrong(`has another text for question "${id}" than line ${known.location.line}`, line)
    const asked = id === '' ? texts.get(text) : undefined
    if (asked)
      wrong(
        `has no id, and line ${asked.line} asks the same question as "${asked.value}"; write the id in each of its rows`,
        line,
      )
    const before = id === '' ? undefined : questions.get(`text ${text}`)
    if (before)
      wrong(
        `asks as "${id}" the question of line ${before.location.line}, which has no id; write the id in each of its rows`,
        line,
      )
    const answerable = TRUTH.get(cell('answerable').toLowerCase())
    if (cell('answerable') !== '' && answerable === undefined)
      wrong(`answerable must be true or false, not "${cell('answerable')}"`, line)
    const one: TableQuestion = known ?? {
      fields: { _id: id || `q${questions.size + 1}`, text },
      answers: new Set(),
      gold: [],
      location,
    }
    questions.set(key, one)
    if (id !== '' && text !== '' && !texts.has(text)) texts.set(text, { value: id, line })
    const answers = answersIn(cell('answer'))
    if (answers === undefined) wrong(brokenAnswers(cell('answer')), line)
    for (const answer of answers ?? []) one.answers.add(answer)
    const category = cell('category')
    if (category !== '') one.category = shared.take('category', name, one.category, { value: category, line })
    if (answerable !== undefined)
      one.answerable = shared.take('answerable', name, one.answerable, { value: answerable, line })
    one.gold.push(...goldOfRow(cell, page, (message) => wrong(message, line)))
  }
  const notice = shared.notice()
  if (notice) sink.notice(`${basename(path)}: ${notice}`)
  for (const { fields, answers, category, answerable, gold, location } of questions.values()) {
    const metadata = {
      ...(category && { category: category.value }),
      ...(answers.size > 0 && { answers: [...answers] }),
      ...(answerable?.value === false && { answerable: false }),
    }
    take({ ...fields, metadata, gold }, location)
  }
  return true
}

/**
 * Names columns without a role in a notice, '' if there is none. Grades other than 1 are an error: each row is gold. A `score` or
 * `label` has grades if all of its values are grades; others are of a program, or a name.
 */
function unreadInWords(
  unread: readonly UnreadColumn[],
  hasGold: readonly boolean[],
  wrong: (message: string) => void,
): string {
  const isGrade = ({ name, values }: UnreadColumn) =>
    hasRole([name], GRADE) &&
    (!/^(?:score|label)$/i.test(name) ||
      values.every((value) => value === '' || readGrade(value) !== undefined))
  for (const column of unread.filter(isGrade)) {
    const { name, values } = column
    const other = values.find((value, row) => readGrade(value) !== 1 && (value !== '' || hasGold[row]))
    if (other !== undefined)
      wrong(
        `the column "${name}" holds "${other}", and each row of a table of questions is gold: keep the rows of relevant passages, and remove the column`,
      )
  }
  const names = unread.filter((column) => !isGrade(column)).map(({ name }) => `"${name}"`)
  return names.length === 0
    ? ''
    : `${names.length === 1 ? 'column' : 'columns'} not read: ${names.join(', ')}`
}

interface UnreadColumn {
  readonly name: string
  readonly values: readonly string[]
}

/** Columns with a name and values that have no role. Of two names of a role, one column may lose: `assignColumns` says so. */
function unreadColumns(
  header: readonly string[],
  taken: readonly number[],
  valuesOf: (column: number) => readonly string[],
): UnreadColumn[] {
  return header.flatMap((name, index) => {
    const values = valuesOf(index).map((value) => value.trim())
    const isRole = Object.values(COLUMNS).some((role) => hasRole([name], role))
    return taken.includes(index) || isRole || name.trim() === '' || values.every((value) => value === '')
      ? []
      : [{ name: name.trim(), values }]
  })
}

/** Takes values that the rows of a question share. A row may leave such a value out; another value is an error. */
function sharedValues(nameOf: (role: Role) => string, wrong: (message: string, line: number) => void) {
  let types = 0
  return {
    take<T>(role: Role, key: string, before: Stated<T> | undefined, now: Stated<T>): Stated<T> {
      const name = nameOf(role)
      // A column `type` may describe the gold of each row.
      if (before && before.value !== now.value && name.toLowerCase() === 'type') types++
      else if (before && before.value !== now.value)
        wrong(
          `has "${now.value}" in the column "${name}" for question "${key}", and line ${before.line} has "${before.value}"; the rows of a question share one`,
          now.line,
        )
      return before ?? now
    },
    notice: () =>
      types > 0 &&
      `the column "type" differs within a question in ${types} ${types === 1 ? 'row' : 'rows'}; the first value is the category. Name the column \`category\` to have such rows refused`,
  }
}

/** Pieces of gold of a row: one, or one for each file or quote of a list. */
function goldOfRow(
  cell: (role: Role) => string,
  page: number | undefined,
  wrong: (message: string) => void,
): WrittenGold[] {
  const [files, quotes] = [listed(cell('file')), listed(cell('quote'))]
  if (files.length > 1 && quotes.length > 1 && files.length !== quotes.length) {
    wrong(`names ${files.length} files and ${quotes.length} quotes: name one file, or one for each quote`)
    return []
  }
  const headings = listed(cell('headings')).flatMap((one) => one.split(/(?<!\s)\s+>\s+/))
  const group = cell('group')
  return Array.from({ length: Math.max(files.length, quotes.length, 1) }, (_, at) => {
    const file = files[files.length > 1 ? at : 0]
    const quote = quotes[quotes.length > 1 ? at : 0]
    return {
      ...(file !== undefined && { file }),
      ...(headings.length > 0 && { headings }),
      ...(page !== undefined && { page }),
      ...(quote !== undefined && { quote }),
    }
  }).flatMap((gold) => (Object.keys(gold).length > 0 ? [{ ...gold, ...(group && { group }) }] : []))
}

/** Texts of a cell that holds a list, as JSON or Python prints it; else the cell's text. */
function listed(cell: string): readonly string[] {
  if (cell === '') return []
  return (cell.startsWith('[') ? answersIn(cell) : undefined) ?? [cell]
}

interface TableRow {
  readonly fields: readonly string[]
  readonly line: number
}

function csvRows(path: string, sink: DatasetSink): readonly TableRow[] {
  if (/\.tsv$/i.test(path)) {
    const rows = parseTsv(readText(path))
    const kept = keptQuotes(rows)
    if (kept !== '') sink.notice(`${basename(path)}: ${kept}`)
    return rows
  }
  const rows = parseCsv(readText(path))
  for (const { line, diagnostic } of rows)
    if (diagnostic !== undefined) sink.diagnostic({ file: path, line, message: diagnostic })
  return rows
}

/** Records of a JSON or JSONL file as rows: all keys are the header, and values other than texts are written as JSON. */
async function recordRows(path: string, sink: DatasetSink): Promise<readonly TableRow[]> {
  const records = await readRows(dirname(path), basename(path), atPath(path, sink))
  const header = [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))]
  const textOf = (value: Json) =>
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
  const rows = records.map(({ fields, location: { line = 1 } }) => ({
    fields: header.map((name) => textOf(Object.hasOwn(fields, name) ? fields[name] : null)),
    line,
  }))
  return rows.length === 0 ? [] : [{ fields: header, line: 1 }, ...rows]
}

async function spreadsheetRows(path: string, sink: DatasetSink): Promise<readonly TableRow[]> {
  const { errorCells, mergedRows, sheetsOf } = await import('./readers/xlsx.ts')
  try {
    const bytes = readBytes(path)
    const errors = errorCells(bytes)
    if (errors.length > 0)
      throw new UserError({
        file: path,
        message: `has cells whose formula failed or was never calculated: ${errors.slice(0, 5).join(', ')}${errors.length > 5 ? `, and ${errors.length - 5} more` : ''}; save the file in a spreadsheet program, or mend or empty them`,
      })
    const merged = mergedRows(bytes)
    if (merged.length > 0)
      throw new UserError({
        file: path,
        message: `has cells merged over several rows: ${merged.slice(0, 5).join(', ')}${merged.length > 5 ? `, and ${merged.length - 5} more` : ''}; split them, and write the value in each row that it is for`,
      })
    const sheets = (await sheetsOf(bytes)).filter(({ rows }) => rows.length > 0)
    if (sheets.length > 1)
      throw new UserError({
        file: path,
        message: `has ${sheets.length} sheets with rows (${sheets.map(({ name }) => name).join(', ')}); keep the questions in a file of one sheet`,
      })
    return (sheets[0]?.rows ?? []).map((fields, index) => ({ fields, line: index + 1 }))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    sink.diagnostic({ file: path, message: `is a ${error.message}` })
    return []
  }
}

const GOLD_KEYS = ['file', 'headings', 'page', 'quote', 'group']

function goldOf(value: unknown, wrong: (message: string) => void): WrittenGold[] {
  if (!Array.isArray(value)) {
    wrong(`"gold" must be a list, not ${kindOf(value)}`)
    return []
  }
  return value.flatMap((item: unknown): WrittenGold[] => {
    if (!isMap(item)) wrong(`a piece of gold must be an object, not ${kindOf(item)}`)
    else {
      const { file, headings, page, quote, group } = item
      const odd = Object.keys(item).find((key) => !GOLD_KEYS.includes(key))
      if (odd !== undefined)
        wrong(
          `a piece of gold has no key "${odd}"${didYouMean(odd, GOLD_KEYS)}; there are ${GOLD_KEYS.join(', ')}`,
        )
      else if (file !== undefined && !isText(file)) wrong('"file" must be a text that is not empty')
      else if (headings !== undefined && !isTexts(headings)) wrong('"headings" must be a list of strings')
      else if (page !== undefined && !(Number.isInteger(page) && Number(page) > 0))
        wrong('"page" must be a whole number from 1')
      else if (quote !== undefined && !isText(quote)) wrong('"quote" must be a text that is not empty')
      else if (group !== undefined && !isText(group)) wrong('"group" must be a text that is not empty')
      else if (file === undefined && quote === undefined)
        wrong('a piece of gold needs a "file", a "quote" or both')
      else
        return [
          {
            ...(file === undefined ? {} : { file }),
            ...(headings === undefined ? {} : { headings }),
            ...(page === undefined ? {} : { page: Number(page) }),
            ...(quote === undefined ? {} : { quote }),
            ...(group === undefined ? {} : { group }),
          },
        ]
    }
    return []
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
}
