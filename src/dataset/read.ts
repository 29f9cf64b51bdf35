import { dirname } from 'node:path'
import { UserError } from '../errors.ts'
import { addTo } from '../maps.ts'
import { sha256 } from '../store/hash.ts'
import { oneOf } from '../store/input.ts'
import { isMap } from '../text/json.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Document } from '../types.ts'
import { type Columns, type Picked, pickColumns, valuesByRole } from './columns.ts'
import { readQuestions } from './folder/questions.ts'
import {
  type DatasetFormat,
  type DocumentRecord,
  type FileRule,
  filesOfRole,
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
import type { Fields } from './lines.ts'
import { documentOf, questionOf } from './mappers.ts'
import { afterSample, eachRecord, SAMPLE } from './records.ts'
import { attempt, contextSchema, documentFrom, parsed, querySchema } from './schema.ts'
import type { DataLocation, DatasetSink } from './sink.ts'
import { openSource, type Source } from './source.ts'
import type { JudgedUnit } from './types.ts'

const RECORDS = { corpus: 'document', questions: 'question', labels: 'label', spans: 'span', notes: 'note' }

/** Files of each role, and labels of splits that are not asked for. */
type Files = Readonly<Partial<Record<Role | 'elsewhere', readonly Part[]>>>

interface Work {
  readonly format: DatasetFormat
  readonly params: Params
  readonly rules: Readonly<Partial<Record<Role, FileRule>>>
  readonly source: Source
  readonly sink: DatasetSink
  /** Records left out, and peculiarities, by reason. */
  readonly counts: Map<string, number>
  /** Documents, for formats that look into them again. */
  readonly documents: Document[]
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
  const rules = format.rolesOf?.(params) ?? format.roles
  const work: Work = { format, params, rules, source, sink, counts: new Map(), documents: [], read: [] }
  const files = format.read ? {} : chooseFiles(work)
  if (!files) return
  if (format.read) {
    const { documents, problem, notices } = await format.read(params, reading)
    for (const document of documents)
      attempt({ file: document.id }, sink, () => takeDocument(document, { file: document.id }, work))
    if (problem !== undefined) sink.diagnostic({ file: params.path, message: problem })
    for (const words of notices) sink.notice(words)
  }
  await eachOf('corpus', files, work, (values, context, location) =>
    takeDocument((format.document ?? documentOf)(values, context), location, work, context.names),
  )
  await readQuestionFiles(files, work)
  await readGold(files, work)
  await eachOf('notes', files, work, (values) => {
    const words = format.note?.(values, work.documents, params)
    if (words !== undefined) sink.notice(words)
  })
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

/**
 * Files of each role. A missing file, two for one role and an unknown split are errors; undefined if nothing can be read then.
 * A corpus alone can be prepared and asked.
 */
function chooseFiles(work: Work): Files | undefined {
  const { format, params, rules, source, sink } = work
  const isFile = format.place === 'file'
  if (isFile && source.isFolder) {
    sink.diagnostic({ file: source.path, message: `is a folder; ${format.name} is one file: give its path` })
    return undefined
  }
  const roles = Object.entries(rules) as [Role, FileRule][]
  const files: Files = Object.fromEntries(
    roles.map(([role, rule]) => [
      role,
      isFile ? source.files.map((file) => ({ file })) : filesOfRole(rule, source, params),
    ]),
  )
  const { corpus = [], questions = [], labels = [], spans = [], notes } = files
  if (rules.questions?.isOptional && corpus.length > 0 && [questions, labels, spans].flat().length === 0) {
    sink.notice(`no ${rules.questions.name} and no labels: the corpus can be prepared and asked, not run`)
    return { corpus: readable('corpus', corpus, work), notes }
  }
  const isSpan = params.judged === 'span' || (params.judged === undefined && spans.length > 0)
  if (isSpan && spans.length === 0)
    sink.diagnostic({ file: 'qrels/spans.tsv', message: 'is missing, and `judged: span` asks for it' })
  const splits = [...new Set(labels.flatMap(({ split }) => split ?? []))]
  const wanted = wantedSplits(splits, params.split)
  const isWanted = ({ split }: Part) => split === undefined || wanted.includes(split)
  const judged = labels.filter(isWanted)
  const chosen: Partial<Record<Role, readonly Part[]>> = {}
  for (const [role, rule] of roles) {
    const parts = files[role] ?? []
    const ofSplit = parts.filter(isWanted)
    if (role === 'labels' && splits.length > 0 && judged.length === 0) {
      if (!isSpan) sink.diagnostic({ file: nameOf(rule, params), message: noSplit(splits, params.split) })
    } else if (role === 'questions' && ofSplit.length === 0 && parts.length > 1 && !rule.isMany) {
      const message = `has no file of questions of its split, next to ${parts.map(({ file }) => file).join(', ')}`
      if (judged.length > 0) sink.diagnostic({ file: judged[0].file, message })
    } else if (role === 'labels') chosen.labels = readable(role, judged, work, isSpan)
    else chosen[role] = readable(role, ofSplit.length > 0 ? ofSplit : parts, work)
  }
  const elsewhere = labels.filter((part) => !isWanted(part))
  // One of two files for a role that is not read would be left out in silence.
  onePerSplit(rules.labels, elsewhere, source)
  return { ...chosen, elsewhere }
}

function wantedSplits(splits: readonly string[], split: string | undefined): readonly string[] {
  if (split === 'all' && !splits.includes('all')) return splits
  if (split !== undefined) return [split]
  return splits.includes('test') ? ['test'] : splits.length === 1 ? splits : []
}

const noSplit = (splits: readonly string[], split: string | undefined) =>
  `${split === undefined ? 'can be any of several splits' : `is missing${didYouMean(split, splits)}`}; say which with \`split\`: ${splits.join(', ')}`

const nameOf = ({ name }: FileRule, { split }: Params) => name.replace('<split>', split ?? '<split>')

/** Files of a role that are read; an error if there is none, or two where one is due. */
function readable(
  role: Role,
  parts: readonly Part[],
  { rules, source, sink, params }: Work,
  isOptional = role !== 'questions' && rules[role]?.isOptional,
): readonly Part[] {
  const rule = rules[role] as FileRule
  const configs = [...new Set(parts.map(({ config }) => config))]
  if (configs.length > 1) {
    sink.diagnostic({ file: role, message: `can be any of ${configs.join(', ')}; say which with \`config\`` })
    return []
  }
  if (parts.length === 0 && !isOptional) {
    const stem = rule.name.split(/[/.]/)[0].toLowerCase()
    const like = source.files.filter((file) => stem !== '' && file.toLowerCase().startsWith(stem))
    const hint = like.length > 0 ? `; the folder has ${like.slice(0, 5).join(', ')}` : ''
    const also = rule.also === undefined ? '' : ` (${rule.also})`
    sink.diagnostic({ file: nameOf(rule, params), message: `is missing${also}${hint}` })
  }
  let chosen: readonly Part[] = []
  attempt({ file: source.path }, sink, () => {
    chosen = onePerSplit(rule, parts, source)
  })
  return chosen
}

/** One part for each split, all for a role of many. Throws a UserError for two where one is due. */
function onePerSplit(
  rule: FileRule | undefined,
  parts: readonly Part[],
  { path, folder }: Source,
): readonly Part[] {
  if (!rule || rule.isMany) return parts
  const bySplit = new Map<string | undefined, Part[]>()
  for (const part of parts) addTo(bySplit, part.split, part)
  return [...bySplit.values()].flatMap((ofSplit) => {
    const files = ofSplit.map(({ file }) => file)
    if (new Set(files.map(dirname)).size > 1)
      throw new UserError(
        `holds ${files.length} files ${rule.name}: ${files.join(', ')}; give the path of one folder`,
        path,
      )
    const chosen = oneOf(folder, files)
    return ofSplit.filter(({ file }) => file === chosen)
  })
}

/** Calls `take` for every record of a role's files, with its values by role. */
async function eachOf(
  role: Role,
  files: Files,
  work: Work,
  take: (
    values: Values,
    context: RecordContext & { readonly names: Picked['names'] },
    location: DataLocation,
  ) => void,
): Promise<void> {
  const { format, source, sink, params, read } = work
  const parts = files[role] ?? []
  const named = work.rules[role]
  if (!named || parts.length === 0) return
  const rule: FileRule = role === 'spans' ? { ...SPANS, ...named } : named
  const texts = await lookedUp(rule, work)
  const textOf = (id: string) => texts.get(id) ?? ''
  for (const { file } of parts) {
    let number = 0
    const size = rule.columns || rule.refuse ? SAMPLE : 1
    const { add, end } = afterSample<readonly [Fields, DataLocation]>(size, (first) => {
      const sample = first.map(([fields]) => fields)
      const { line } = first[0][1]
      const wrong = (message: string) =>
        sink.diagnostic({ file, ...(line !== undefined && { line }), message })
      const refused = rule.refuse?.([...new Set(sample.flatMap((fields) => Object.keys(fields)))])
      if (refused !== undefined) {
        wrong(refused)
        return () => {}
      }
      const picked = rule.columns && pickColumns(sample, rule.columns, wrong)
      if (rule.columns && !picked) return () => {}
      if (rule.columns && picked) {
        const unread = unreadInWords(role, rule.columns, picked, sample)
        if (!format.hasFixedNames) read.push(picked.read + unread)
        else if (role !== 'spans' && picked.other + unread !== '')
          sink.notice(`${file}: ${(picked.other + unread).replace(/^, /, '')}`)
      }
      const names = picked?.names ?? {}
      const assigned = Object.values(names)
      return ([fields, location]) => {
        const values = picked ? valuesByRole(fields, picked) : fields
        const context = { number: ++number, fields, taken: assigned, params, textOf, names }
        attempt(location, sink, () =>
          take((rule.schema ? parsed(rule.schema, values, names) : values) as Values, context, location),
        )
      }
    })
    const records = await (rule.records ?? eachRecord)(source.folder, file, sink, (fields, location) => {
      if (!rule.rows) return add([fields, location])
      attempt(location, sink, () => {
        const rows = rule.rows?.(fields, params) ?? []
        for (const [at, row] of rows.entries()) {
          const place = rows.length > 1 ? { file: `${location.file}, item ${at + 1}` } : location
          if (isMap(row)) add([row as Fields, place])
          else sink.diagnostic({ ...place, message: 'is not an object' })
        }
      })
    })
    end()
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

function takeDocument(
  record: DocumentRecord,
  location: DataLocation,
  { sink, counts, documents, format }: Work,
  names?: Picked['names'],
): void {
  const reason = record.skip ?? record.remark
  if (reason !== undefined) count(counts, reason)
  if (record.skip !== undefined) return
  const document = documentFrom(record, names)
  if (format.takesQuestions || format.note || format.notices) documents.push(document)
  sink.document(document, location)
}

/** Reads spans, labels, and the labels of other splits, which only tell which queries they judge. */
async function readGold(files: Files, work: Work): Promise<void> {
  const { params, rules, source, sink, read } = work
  const { spans = [], labels = [], elsewhere = [] } = files
  const unit: JudgedUnit = params.judged ?? (spans.length > 0 ? 'span' : 'document')
  if (unit !== 'document') sink.judged(unit)
  if (unit === 'span')
    await eachOf('spans', files, work, (values, _, location) => {
      const { query, document, group, grade, ...range } = values as SpanValues
      const span = { documentId: document, ...range, ...(grade !== undefined && { grade }) }
      sink.span(query, span, location, group)
    })
  const options = { unit, isTrec: rules.labels?.isTrec }
  for (const { file } of labels) {
    const columns = await readLabels(source.folder, file, options, sink)
    if (columns !== undefined) read.push(columns)
  }
  const others: DatasetSink = {
    ...sink,
    qrel: ({ queryId }) => sink.elsewhere(queryId),
    diagnostic(diagnostic) {
      sink.diagnostic(diagnostic)
      sink.elsewhere()
    },
    notice() {},
  }
  for (const { file } of elsewhere) await readLabels(source.folder, file, options, others)
}

async function readQuestionFiles(files: Files, work: Work): Promise<void> {
  const { format, sink, counts } = work
  const questions: {
    readonly record: QuestionRecord
    readonly location: DataLocation
    readonly names: Picked['names']
  }[] = []
  await eachOf('questions', files, work, (values, context, location) => {
    for (const record of [(format.question ?? questionOf)(values, context)].flat())
      questions.push({ record, location, names: context.names })
  })
  const ids = new Map<unknown, number>()
  for (const { record } of questions) count(ids, record.id)
  const contextCounts = new Map<string, number>()
  let withoutGold = 0
  const byId = new Map<string, { readonly text: string; readonly file: string }>()
  for (const { record, location, names } of questions)
    attempt(location, sink, () => {
      const { uniqueId, contexts, gold = [], missing = [], remark, skip, ...rest } = record
      const golden = takeContexts(contexts ?? [], contextCounts, location, sink)
      if (skip !== undefined && skip !== '') count(counts, skip)
      if (skip !== undefined) return
      const isShared = uniqueId !== undefined && (ids.get(rest.id) as number) > 1
      if (isShared) count(counts, 'questions that share an id with another, named after their text too')
      if (remark !== undefined) count(counts, remark)
      const query = parsed(querySchema, isShared ? { ...rest, id: uniqueId } : rest, names)
      // Splits may share questions. The sink refuses one id with two texts, and an id twice in a file.
      const file = location.file.replace(/, \w+ \d+$/, '')
      const first = byId.get(query.id)
      if (first && first.text === query.text && first.file !== file) return
      byId.set(query.id, { text: query.text, file })
      sink.query(query, location)
      if (contexts && golden.size === 0 && query.answerable) withoutGold++
      for (const { name, message } of missing) sink.missing(query.id, { name, message }, location)
      const groups = new Map<string, string | undefined>()
      for (const [index, group] of gold.map((ids) => [ids].flat()).entries())
        for (const id of group)
          if (!groups.has(id)) groups.set(id, group.length > 1 ? String(index + 1) : undefined)
      for (const id of golden) if (!groups.has(id)) groups.set(id, undefined)
      for (const [id, group] of groups) sink.qrel({ queryId: query.id, id, grade: 1, group }, location)
    })
  const all = [...contextCounts.values()].reduce((sum, number) => sum + number, 0)
  if (all > 0)
    sink.notice(
      `the corpus is the union of the questions' contexts: ${contextCounts.size} distinct of ${all}; a corpus without other documents is easier to search than a real one`,
    )
  if (withoutGold > 0) sink.notice(`${withoutGold} questions have no context that could be gold`)
}

/** Adds a question's contexts to the corpus; equal ones are one document. Returns the ids of gold. */
function takeContexts(
  contexts: NonNullable<QuestionRecord['contexts']>,
  counts: Map<string, number>,
  location: DataLocation,
  sink: DatasetSink,
): ReadonlySet<string> {
  const gold = new Set<string>()
  for (const { isGold = false, ...given } of contexts) {
    const context = parsed(contextSchema, given)
    // A passage has the same id in every selection of questions.
    const id = sha256(`${context.title}\n${context.text}`).slice(0, 16)
    if (!counts.has(id)) sink.document({ id, ...context }, location)
    count(counts, id)
    if (isGold) gold.add(id)
  }
  return gold
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
