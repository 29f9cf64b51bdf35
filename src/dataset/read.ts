import { dirname } from 'node:path'
import { UserError } from '../errors.ts'
import { oneOf } from '../store/alternates.ts'
import { sha256 } from '../store/hash.ts'
import { isMap } from '../text/json.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Document } from '../types.ts'
import { type Columns, type Picked, pickColumns, valuesByRole } from './columns.ts'
import { filesOfRole } from './files.ts'
import { readQuestions } from './folder/questions.ts'
import {
  type DatasetFormat,
  type DocumentRecord,
  type FileRule,
  ownGraphInWords,
  type Params,
  type Part,
  type QuestionRecord,
  type Reading,
  type RecordContext,
  type Role,
  type Values,
} from './format.ts'
import { readLabels, SPANS, type SpanValues } from './labels.ts'
import { documentOf, questionOf } from './mappers.ts'
import { eachRecord, type Fields } from './records.ts'
import { attempt, contextSchema, documentFrom, parsed, querySchema } from './schema.ts'
import type { DataLocation, DatasetSink } from './sink.ts'
import { openSource, type Source } from './source.ts'
import type { JudgedUnit } from './types.ts'

/** Names of the files' records in messages. */
const RECORDS = { corpus: 'document', questions: 'question', labels: 'label', spans: 'span', notes: 'note' }
/** Records that decide which column has which role. */
const SAMPLE = 1000

/** State of the reading of one dataset. */
interface Work {
  readonly format: DatasetFormat
  readonly params: Params
  readonly source: Source
  readonly sink: DatasetSink
  /** Records left out, and peculiarities, by reason. */
  readonly counts: Map<string, number>
  /** Documents, for those who look into them again. */
  readonly documents: Document[]
  /** Columns that were read, by file. */
  readonly read: string[]
}

/**
 * Reads a dataset of any format: finds its files, picks columns, maps and checks each record, and hands it to the sink with
 * its place. `params.path` is absolute.
 */
export async function readDataset(
  format: DatasetFormat,
  params: Params,
  sink: DatasetSink,
  reading: Reading,
): Promise<void> {
  const source = openSource(params.path)
  const work: Work = { format, params, source, sink, counts: new Map(), documents: [], read: [] }
  const files = format.read ? { corpus: [] } : chooseFiles(work)
  if (!files) return
  if (format.read) {
    const { documents, problem, notices } = await format.read(params, reading)
    for (const document of documents)
      attempt({ file: document.id }, sink, () => takeDocument(document, { file: document.id }, work))
    if (problem !== undefined) sink.diagnostic({ file: params.path, message: problem })
    for (const words of notices) sink.notice(words)
  }
  await readCorpus(files.corpus ?? [], work)
  await readQuestionFiles(files.questions ?? [], work)
  const unit: JudgedUnit = params.judged ?? (files.spans?.length ? 'span' : 'document')
  if (unit !== 'document') sink.judged(unit)
  const { labels = [], elsewhere = [] } = files
  const rules = rulesOf(work)
  if (unit === 'span')
    await eachOf('spans', files.spans ?? [], work, (values, _, location) => {
      const { query, document, group, grade, ...range } = values as SpanValues
      const span = { documentId: document, ...range, ...(grade !== undefined && { grade }) }
      sink.span(query, span, location, group)
    })
  for (const { file } of labels) {
    const columns = await readLabels(source.folder, file, { unit, ...rules.labels }, sink)
    if (columns !== undefined) work.read.push(columns)
  }
  // Labels of other splits only tell which queries they judge.
  const others: DatasetSink = {
    ...sink,
    qrel: ({ queryId }) => sink.elsewhere(queryId),
    diagnostic(diagnostic) {
      sink.diagnostic(diagnostic)
      sink.elsewhere()
    },
    notice() {},
  }
  for (const { file } of elsewhere) await readLabels(source.folder, file, { unit, ...rules.labels }, others)
  await readNotes(files.notes ?? [], work)
  const { questions } = params
  if (questions !== undefined && format.takesQuestions) {
    sink.judged('span')
    await readQuestions(questions, work.documents, sink)
  } else if (format.takesQuestions && !format.read)
    sink.notice('it holds no questions: it can be prepared and asked; `questions: FILE` adds some')
  finish(files, work, reading)
}

/** Notices on the whole dataset. */
function finish(
  files: Files,
  { format, params, source, sink, counts, documents, read }: Work,
  reading: Reading,
) {
  const parts = Object.values(files).flatMap((parts: readonly Part[] = []) => parts)
  const all = [...new Set(parts.map(({ file }) => file))]
  const names = all.length > 6 ? [...all.slice(0, 5), `and ${all.length - 5} more`] : all
  if (!format.hasFixedNames && !format.read)
    sink.notice(`read as ${format.name}: ${[names.join(', '), ...read].join('; ')}`)
  for (const [reason, count] of counts) sink.notice(`${reason}: ${count}`)
  for (const words of format.notices?.({ documents: documents.length, source }) ?? []) sink.notice(words)
  if (format.ownGraph) sink.notice(ownGraphInWords(format.ownGraph(params), reading))
}

type Files = Readonly<Partial<Record<Role | 'elsewhere', readonly Part[]>>>

function rulesOf({
  format,
  params,
}: Pick<Work, 'format' | 'params'>): Readonly<Partial<Record<Role, FileRule>>> {
  return format.rolesOf?.(params) ?? format.roles
}

/**
 * Files of each role. A missing file, two for one role and an unknown split are errors; undefined if nothing can be read then.
 * A corpus alone can be prepared and asked.
 */
function chooseFiles(work: Work): Files | undefined {
  const { format, params, source, sink } = work
  if (format.place === 'file' && source.isFolder) {
    sink.diagnostic({ file: source.path, message: `is a folder; ${format.name} is one file: give its path` })
    return undefined
  }
  const rules = rulesOf(work)
  const found = Object.fromEntries(
    Object.entries(rules).map(([role, rule]) => [
      role,
      format.place === 'file'
        ? source.files.map((file): Part => ({ file }))
        : filesOfRole(rule, source, params),
    ]),
  )
  const isAlone =
    rules.questions?.isOptional && !found.questions?.length && !found.labels?.length && !found.spans?.length
  if (isAlone && found.corpus?.length) {
    sink.notice(`no ${rules.questions?.name} and no labels: the corpus can be prepared and asked, not run`)
    return { corpus: one('corpus', rules.corpus as FileRule, found.corpus, work), notes: found.notes }
  }
  const isSpan = params.judged === 'span' || (params.judged === undefined && (found.spans?.length ?? 0) > 0)
  if (params.judged === 'span' && !found.spans?.length)
    sink.diagnostic({ file: 'qrels/spans.tsv', message: 'is missing, and `judged: span` asks for it' })
  const splits = [...new Set((found.labels ?? []).flatMap(({ split }) => split ?? []))]
  const wanted = wantedSplits(splits, params.split)
  const isWanted = ({ split }: Part) => split === undefined || wanted.includes(split)
  const chosen: Record<string, readonly Part[]> = {}
  for (const [role, rule] of Object.entries(rules) as [Role, FileRule][]) {
    const parts = found[role]
    const ofSplit = parts.filter(isWanted)
    const isLabels = role === 'labels'
    if (isLabels && splits.length > 0 && ofSplit.length === 0) {
      if (!isSpan)
        sink.diagnostic({
          file: rule.name.replace('<split>', params.split ?? '<split>'),
          message: `${params.split === undefined ? 'can be any of several splits' : `is missing${didYouMean(params.split, splits)}`}; say which with \`split\`: ${splits.join(', ')}`,
        })
      continue
    }
    const isOther = role === 'questions' && ofSplit.length === 0 && parts.length > 1 && !rule.isMany
    if (isOther && !found.labels?.some(isWanted)) continue
    if (isOther)
      sink.diagnostic({
        file: found.labels?.find(isWanted)?.file ?? rule.name,
        message: `has no file of questions of its split, next to ${parts.map(({ file }) => file).join(', ')}`,
      })
    else
      chosen[role] = one(
        role,
        rule,
        ofSplit.length > 0 || isLabels ? ofSplit : parts,
        work,
        isLabels ? isSpan : role !== 'questions' && rule.isOptional,
      )
  }
  const elsewhere = (found.labels ?? []).filter((part) => !isWanted(part))
  // One of two files for a role that is not read would be left out in silence.
  for (const split of splits)
    oneOfPlain(
      rules.labels,
      elsewhere.filter((part) => part.split === split),
      source,
    )
  return { ...chosen, elsewhere }
}

function wantedSplits(splits: readonly string[], split: string | undefined): readonly string[] {
  if (split === 'all' && !splits.includes('all')) return splits
  if (split !== undefined) return [split]
  return splits.includes('test') ? ['test'] : splits.length === 1 ? splits : []
}

/** Files of a role that are read; an error if there is none, or two where one is due. */
function one(
  role: Role,
  rule: FileRule,
  parts: readonly Part[],
  { source, sink, params }: Work,
  isOptional = rule.isOptional,
): readonly Part[] {
  const configs = [...new Set(parts.map(({ config }) => config))]
  if (configs.length > 1)
    sink.diagnostic({ file: role, message: `can be any of ${configs.join(', ')}; say which with \`config\`` })
  if (parts.length === 0 && !isOptional) {
    const stem = rule.name.split(/[/.]/)[0].toLowerCase()
    const like = source.files.filter((file) => stem !== '' && file.toLowerCase().startsWith(stem))
    const hint = like.length > 0 ? `; the folder has ${like.slice(0, 5).join(', ')}` : ''
    const also = rule.also === undefined ? '' : ` (${rule.also})`
    sink.diagnostic({
      file: rule.name.replace('<split>', params.split ?? '<split>'),
      message: `is missing${also}${hint}`,
    })
  }
  if (configs.length > 1) return []
  const bySplit = new Map<string | undefined, Part[]>()
  for (const part of parts) bySplit.set(part.split, [...(bySplit.get(part.split) ?? []), part])
  const chosen: Part[] = []
  attempt({ file: source.path }, sink, () => {
    for (const list of bySplit.values()) chosen.push(...oneOfPlain(rule, list, source))
  })
  return chosen
}

/** The parts that are read of several with one role; throws a UserError for two where one is due. */
function oneOfPlain(
  rule: FileRule | undefined,
  parts: readonly Part[],
  { path, folder }: Source,
): readonly Part[] {
  if (rule?.isMany) return parts
  const folders = new Set(parts.map(({ file }) => dirname(file)))
  if (folders.size > 1)
    throw new UserError({
      file: path,
      message: `holds ${parts.length} files ${rule?.name}: ${parts.map(({ file }) => file).join(', ')}; give the path of one folder`,
    })
  const file = oneOf(
    folder,
    parts.map((part) => part.file),
  )
  return parts.filter((part) => part.file === file)
}

/** Calls `take` for every record of the files, with its values by role. */
async function eachOf(
  role: Role,
  parts: readonly Part[],
  work: Work,
  take: (
    values: Values,
    context: RecordContext & { readonly names: Picked['names'] },
    location: DataLocation,
  ) => void,
): Promise<void> {
  const { source, sink, params, read } = work
  const named = rulesOf(work)[role]
  if (!named || parts.length === 0) return
  const rule: FileRule = role === 'spans' ? { ...SPANS, ...named } : named
  const texts = await lookedUp(rule, work)
  const textOf = (id: string) => texts.get(id) ?? ''
  for (const { file } of parts) {
    const waiting: [Fields, DataLocation][] = []
    let picked: Picked | undefined
    let names: Picked['names'] = {}
    let taken: readonly (string | undefined)[] = []
    let number = 0
    let isDecided = rule.columns === undefined && rule.refuse === undefined
    const give = (fields: Fields, location: DataLocation) => {
      if (rule.columns && !picked) return
      const values = picked ? valuesByRole(fields, picked) : fields
      const context = { number: ++number, fields, taken, params, textOf, names }
      attempt(location, sink, () =>
        take((rule.schema ? parsed(rule.schema, values, names) : values) as Values, context, location),
      )
    }
    const decide = () => {
      isDecided = true
      const sample = waiting.map(([fields]) => fields)
      const line = waiting[0][1].line
      const wrong = (message: string) =>
        sink.diagnostic({ file, ...(line !== undefined && { line }), message })
      const refused = rule.refuse?.([...new Set(sample.flatMap((fields) => Object.keys(fields)))])
      if (refused !== undefined) wrong(refused)
      else if (rule.columns) picked = pickColumns(sample, rule.columns, wrong)
      if (picked && rule.columns) {
        names = picked.names
        taken = Object.values(names)
        const unread = unreadInWords(role, rule.columns, picked, sample)
        if (!work.format.hasFixedNames) read.push(picked.read + unread)
        else if (role !== 'spans' && picked.other + unread !== '')
          sink.notice(`${file}: ${(picked.other + unread).replace(/^, /, '')}`)
      }
      if (refused === undefined) for (const [fields, location] of waiting) give(fields, location)
      else picked = undefined
      waiting.length = 0
    }
    const add = (fields: Fields, location: DataLocation) => {
      if (isDecided) give(fields, location)
      else waiting.push([fields, location])
      if (!isDecided && waiting.length >= SAMPLE) decide()
    }
    const records = await (rule.records ?? eachRecord)(source.folder, file, sink, (fields, location) => {
      if (!rule.rows) return add(fields, location)
      attempt(location, sink, () => {
        const rows = rule.rows?.(fields, params) ?? []
        for (const [at, row] of rows.entries()) {
          const place = rows.length > 1 ? { file: `${location.file}, item ${at + 1}` } : location
          if (isMap(row)) add(row as Fields, place)
          else sink.diagnostic({ ...place, message: 'is not an object' })
        }
      })
    })
    if (waiting.length > 0) decide()
    // A header alone says that no question has gold.
    if (records === 0 && role !== 'spans')
      sink.diagnostic({ file, message: `holds no ${RECORDS[role]}: the file is empty` })
  }
}

/** Columns of questions that have values and no role, in words: `, not read=instruction`. */
function unreadInWords(role: Role, columns: Columns, { names }: Picked, sample: readonly Fields[]): string {
  // Other formats say what they leave out.
  if (role !== 'questions' || columns.metadata === undefined) return ''
  const filled = sample.flatMap((fields) => Object.keys(fields).filter((name) => (fields[name] ?? '') !== ''))
  const unread = [...new Set(filled)].filter((name) => !Object.values(names).includes(name))
  return unread.length === 0 ? '' : `, not read=${unread.slice(0, 10).join(' ')}`
}

async function lookedUp({ lookUp }: FileRule, { source, sink }: Work): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const file of lookUp?.files(source) ?? [])
    await eachRecord(source.folder, file, sink, (fields) => {
      const [id, text] = (lookUp as NonNullable<typeof lookUp>).entry(fields)
      texts.set(id, text)
    })
  return texts
}

async function readCorpus(parts: readonly Part[], work: Work): Promise<void> {
  const { format } = work
  await eachOf('corpus', parts, work, (values, context, location) => {
    takeDocument((format.document ?? documentOf)(values, context), location, work, context.names)
  })
}

function takeDocument(
  record: DocumentRecord,
  location: DataLocation,
  { sink, counts, documents, format }: Work,
  names?: Picked['names'],
): void {
  if (record.skip !== undefined) {
    count(counts, record.skip)
    return
  }
  if (record.remark !== undefined) count(counts, record.remark)
  const document = documentFrom(record, names)
  if (format.takesQuestions || format.note || format.notices) documents.push(document)
  sink.document(document, location)
}

/** Ids of passages: the start of the SHA-256 of title and text, so that a passage has the same id in every selection of questions. */
const passageId = (title: string, text: string) => sha256(`${title}\n${text}`).slice(0, 16)

async function readQuestionFiles(parts: readonly Part[], work: Work): Promise<void> {
  const { format, sink, counts } = work
  const questions: {
    readonly record: QuestionRecord
    readonly location: DataLocation
    names: Picked['names']
  }[] = []
  await eachOf('questions', parts, work, (values, context, location) => {
    for (const record of [(format.question ?? questionOf)(values, context)].flat())
      questions.push({ record, location, names: context.names })
  })
  const ids = new Map<unknown, number>()
  for (const { record } of questions) ids.set(record.id, (ids.get(record.id) ?? 0) + 1)
  const pool: Pool = { seen: new Map(), bare: 0 }
  const asked = new Map<string, { readonly text: string; readonly file: string }>()
  for (const { record, location, names } of questions)
    attempt(location, sink, () => {
      const { uniqueId, contexts, gold = [], missing = [], remark, skip, ...rest } = record
      const golden = takeContexts(contexts ?? [], pool, location, sink)
      if (skip !== undefined && skip !== '') count(counts, skip)
      if (skip !== undefined) return
      const isShared = uniqueId !== undefined && (ids.get(rest.id) as number) > 1
      if (isShared) count(counts, 'questions that share an id with another, named after their text too')
      if (remark !== undefined) count(counts, remark)
      const query = parsed(querySchema, isShared ? { ...rest, id: uniqueId } : rest, names)
      // Splits may share questions. The sink refuses one id with two texts, and an id twice in a file.
      const file = location.file.replace(/, \w+ \d+$/, '')
      const first = asked.get(query.id)
      if (first && first.text === query.text && first.file !== file) return
      asked.set(query.id, { text: query.text, file })
      sink.query(query, location)
      if (contexts && golden.size === 0 && query.answerable) pool.bare++
      for (const { name, message } of missing) sink.missing(query.id, { name, message }, location)
      const judged = new Set<string>()
      const judge = (id: string, group?: string) => {
        if (!judged.has(id)) sink.qrel({ queryId: query.id, id, grade: 1, group }, location)
        judged.add(id)
      }
      for (const [index, group] of gold.map((ids) => [ids].flat()).entries())
        for (const id of group) judge(id, group.length > 1 ? String(index + 1) : undefined)
      for (const id of golden) judge(id)
    })
  const all = [...pool.seen.values()].reduce((sum, number) => sum + number, 0)
  if (all > 0)
    sink.notice(
      `the corpus is the union of the questions' contexts: ${pool.seen.size} distinct of ${all}; a corpus without other documents is easier to search than a real one`,
    )
  if (pool.bare > 0) sink.notice(`${pool.bare} questions have no context that could be gold`)
}

/** Passages of all questions: how often each is one, and questions without gold among theirs. */
interface Pool {
  readonly seen: Map<string, number>
  bare: number
}

/** Adds a question's contexts to the corpus; equal ones are one document. Returns the ids of gold. */
function takeContexts(
  contexts: NonNullable<QuestionRecord['contexts']>,
  { seen }: Pool,
  location: DataLocation,
  sink: DatasetSink,
): ReadonlySet<string> {
  const gold = new Set<string>()
  for (const { isGold = false, ...given } of contexts) {
    const context = parsed(contextSchema, given)
    const id = passageId(context.title, context.text)
    if (!seen.has(id)) sink.document({ id, ...context }, location)
    seen.set(id, (seen.get(id) ?? 0) + 1)
    if (isGold) gold.add(id)
  }
  return gold
}

async function readNotes(parts: readonly Part[], work: Work): Promise<void> {
  const { format, params, sink, documents } = work
  await eachOf('notes', parts, work, (values) => {
    const words = format.note?.(values, documents, params)
    if (words !== undefined) sink.notice(words)
  })
}

function count(counts: Map<string, number>, reason: string): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1)
}
