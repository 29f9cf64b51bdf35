import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { readText } from '../../store/input.ts'
import { DOCUMENT, GRADE, QUERY } from '../../tables/roles.ts'
import { CARD, cardConfigs } from '../../text/dataset-card.ts'
import { isMap } from '../../text/json.ts'
import { readGrade } from '../../text/numbers.ts'
import { jsonIn } from '../../text/printed-lists.ts'
import type { Json } from '../../types.ts'
import { answersIn, brokenAnswers, textIn, textsOf } from '../contexts.ts'
import { DOCUMENT_ID, DOCUMENT_TEXT, DOCUMENT_TITLE, QUERY_ID, QUERY_TEXT } from '../dataset-roles.ts'
import { defineDatasetFormat } from '../format.ts'
import { policyShape } from '../policies.ts'
import { fieldsBeside } from '../records.ts'
import { idOf, pickColumns, type Row, readRows } from '../rows.ts'
import type { DatasetSink } from '../sink.ts'
import { hasLabels, LATER_SHARD, openSource, type Source } from '../source.ts'

const DOCUMENTS = {
  document: { ...DOCUMENT_ID, names: [...DOCUMENT_ID.names, ['id']] },
  text: DOCUMENT_TEXT,
  title: DOCUMENT_TITLE,
}
const ANY = { fits: () => true, optional: true }
const QUESTIONS = {
  id: QUERY_ID,
  query: QUERY_TEXT,
  answer: {
    name: 'answer',
    names: [
      ['answers', 'answer'],
      ['reference_answer', 'expected_answer', 'ground_truth'],
    ],
    ...ANY,
  },
  category: { name: 'category', names: [['category']], ...ANY },
}
const LABELS = { query: QUERY, document: DOCUMENT, grade: { ...GRADE, optional: true } }
/** Names of metadata that the notice lists. */
const SHOWN = 10
const TABLE = /\.(parquet|arrow|jsonl|ndjson|csv|tsv)(?:\.gz)?$/

/** A file with the name of its config and split. */
interface Part {
  readonly file: string
  readonly config: string
  readonly split: string
}

/**
 * Retrieval data sets of MTEB and others on Hugging Face: configs for corpus, queries and qrels, as Parquet, JSONL, CSV
 * or TSV; also three such files in a folder. The dataset card (`README.md`) says which files are a config's, else their folders do.
 */
export const huggingFace = defineDatasetFormat({
  name: 'hf',
  summary: 'corpus, queries and qrels as tables (Parquet, JSONL, CSV, TSV), as on Hugging Face and in MTEB',
  drops:
    'configs of other kinds; other columns of a query, nested ones of a document; queries that another split judges, counted',
  params: z.strictObject({
    path: z.string().describe('the folder'),
    config: z.string().optional().describe('part, as `de`, of configs named de-corpus, de-queries, de-qrels'),
    split: z
      .string()
      .optional()
      .describe('split of the qrels, or `all`; default: `test` if there is one, else the only one'),
    ...policyShape,
  }),
  sniff: (source) => {
    const { corpus, queries, qrels } = partsOf(source)
    const parts = [corpus, queries, qrels].filter((list) => list.length > 0)
    const files = parts.flat().map(({ file }) => file)
    const isBeir =
      files.some((file) => /^(corpus|queries)\.jsonl/.test(file)) &&
      source.files.some((file) => /^qrels\/[^/]+\.tsv/.test(file))
    const isIr = files.some((file) => /^docs\.(?:jsonl|tsv)/.test(file))
    // A corpus and queries in JSONL may be of many formats.
    const isPlain = qrels.length === 0 && !files.some((file) => file.endsWith('.parquet'))
    return parts.length > 1 && !isBeir && !isIr && !isPlain ? { files } : undefined
  },
  async load({ path, config, split }, sink) {
    const source = openSource(path)
    const parts = partsOf(source, config)
    const corpus = oneConfig(parts.corpus, 'corpus', sink)
    const queries = oneConfig(parts.queries, 'queries', sink)
    const qrels = oneConfig(parts.qrels, 'qrels', sink)
    const judged = splitsOf(qrels, split, sink)
    if (!corpus || !queries || !judged) return
    const isJudged = (part: Part) => judged.includes(part.split)
    const asked = queries.some(isJudged) ? queries.filter(isJudged) : queries
    const read = [
      await readDocuments(path, corpus, sink),
      await readQueries(path, asked, sink),
      await readLabels(path, qrels.filter(isJudged), sink),
    ]
    for (const other of qrels.filter((part) => !isJudged(part)))
      for (const { fields } of await readRows(path, other.file, sink))
        sink.elsewhere(textsOf(fields['query-id'] ?? fields.query_id)[0] ?? '')
    const files = [...corpus, ...asked].map(({ file }) => file)
    const candidates = source.files.filter(
      (file) => TABLE.test(file) && /^corpus[-_]ids$/im.test(source.shape(file).keys.join('\n')),
    )
    if (candidates.length > 0)
      sink.notice(
        `not read: ${candidates.join(', ')}, the candidates of each query; every query searches the whole corpus`,
      )
    const isPlain = files.every((file) => !/\/|\.parquet$/.test(file))
    sink.notice(
      `read as ${isPlain ? 'tables' : 'Hugging Face'}: ${files.join(', ')}, qrels of split ${judged.join(', ')}; ${read.join('; ')}`,
    )
  },
})

async function rowsOf(path: string, parts: readonly Part[], sink: DatasetSink): Promise<Row[]> {
  const rows: Row[] = []
  for (const { file } of parts) for (const row of await readRows(path, file, sink)) rows.push(row)
  if (rows.length === 0 && parts.length > 0)
    sink.diagnostic({ file: parts[0].file, message: 'holds no record' })
  return rows
}

async function readDocuments(path: string, parts: readonly Part[], sink: DatasetSink): Promise<string> {
  const rows = await rowsOf(path, parts, sink)
  const picked = rows.length > 0 && pickColumns(rows, DOCUMENTS, { file: parts[0].file }, sink)
  if (!picked) return ''
  const names = new Set<string>()
  for (const row of rows) {
    const id = idOf(picked.of(row, 'document'), 'document', row.location, sink)
    const text = textIn(picked.of(row, 'text'), 'text', row.location, sink)
    if (text === undefined) continue
    const title = textsOf(picked.of(row, 'title')).join(' ')
    const metadata = metadataOf(row, picked.taken)
    for (const name of Object.keys(metadata)) names.add(name)
    if (id !== undefined) sink.document({ id, title, text, metadata }, row.location)
  }
  return `${picked.read}${names.size > 0 ? `, metadata=${[...names].slice(0, SHOWN).join(' ')}` : ''}`
}

/** Columns other than id, text and title; a column `metadata` has an object, or one as JSON, whose fields go first. */
function metadataOf({ fields }: Row, taken: readonly string[]): Readonly<Record<string, Json>> {
  const { metadata = null } = fields
  const inner = typeof metadata === 'string' ? jsonIn(metadata) : metadata
  if (!isMap(inner)) return fieldsBeside(fields, taken)
  const given = Object.entries(inner as Readonly<Record<string, Json>>).filter(([, value]) => value !== null)
  return { ...fieldsBeside(fields, [...taken, 'metadata']), ...Object.fromEntries(given) }
}

async function readQueries(path: string, parts: readonly Part[], sink: DatasetSink): Promise<string> {
  const rows = await rowsOf(path, parts, sink)
  const picked = rows.length > 0 && pickColumns(rows, QUESTIONS, { file: parts[0].file }, sink)
  if (!picked) return ''
  const seen = new Map<string, { text: string; file: string }>()
  for (const row of rows) {
    const id = idOf(picked.of(row, 'id'), 'query', row.location, sink)
    if (id === undefined) continue
    const text = textIn(picked.of(row, 'query'), 'query', row.location, sink, ' ')
    if (text === undefined) continue
    // Splits may share queries. The sink refuses one id with two texts, and an id twice in a file.
    const file = row.location.file.replace(/, (?:row|question) \d+$/, '')
    const first = seen.get(id)
    if (first?.text === text && first.file !== file) continue
    seen.set(id, { text, file })
    const answers = answersIn(picked.of(row, 'answer'))
    if (answers === undefined)
      sink.diagnostic({ ...row.location, message: brokenAnswers(picked.of(row, 'answer')) })
    const [category = null] = textsOf(picked.of(row, 'category'))
    sink.query({ id, text, metadata: {}, category, answers: answers ?? [], answerable: true }, row.location)
  }
  const unread = [
    ...new Set(rows.flatMap(({ fields }) => Object.keys(fields).filter((name) => fields[name] !== null))),
  ]
    .filter((name) => !picked.taken.includes(name))
    .slice(0, SHOWN)
  return `${picked.read}${unread.length > 0 ? `, not read=${unread.join(' ')}` : ''}`
}

async function readLabels(path: string, parts: readonly Part[], sink: DatasetSink): Promise<string> {
  const rows = await rowsOf(path, parts, sink)
  const { query, document } = sink.known
  const picked =
    rows.length > 0 && pickColumns(rows, LABELS, { file: parts[0].file, known: { query, document } }, sink)
  if (!picked) return ''
  const isGraded = /\bgrade=/.test(picked.read)
  const graded = isGraded ? undefined : unknownGrade(rows, picked.taken)
  if (graded !== undefined) {
    sink.diagnostic({
      file: parts[0].file,
      message: `has no column of grades that Touchstone knows, and \`${graded}\` looks like one; call it \`grade\`, or drop it if every row is relevant`,
    })
    return ''
  }
  for (const row of rows) {
    const queryId = idOf(picked.of(row, 'query'), 'query', row.location, sink)
    const id = idOf(picked.of(row, 'document'), 'document', row.location, sink)
    const value = picked.of(row, 'grade')
    const grade = isGraded ? readGrade(value) : 1
    if (grade === undefined)
      sink.diagnostic({
        ...row.location,
        message: `a grade must be a whole number of 32 bits, not ${JSON.stringify(value)}`,
      })
    else if (queryId !== undefined && id !== undefined) sink.qrel({ queryId, id, grade }, row.location)
  }
  return isGraded ? picked.read : `${picked.read}, grade=1`
}

/** Largest value of a column that looks like grades: years, lengths and offsets are larger. */
const MOST = 100

/** A column whose values are all grades or truth values. Iterations, and numbers of rows that pandas writes, are none. */
function unknownGrade(rows: readonly Row[], taken: readonly string[]): string | undefined {
  const names = Object.keys(rows[0].fields).filter((name) => !taken.includes(name))
  return names.find((name) => {
    const values = rows.map(({ fields }) => fields[name] ?? null)
    return (
      values.every((value) => typeof value === 'boolean' || Math.abs(readGrade(value) ?? MOST + 1) <= MOST) &&
      !(/^(?:iter|q0$|unnamed\b)/i.test(name) || /(?:^|[_-])(?:idx|index|rank|id)(?:$|[_-])/i.test(name))
    )
  })
}

/** Parts by kind, of one config where `config` names it. */
function partsOf(source: Source, config?: string): Record<'corpus' | 'queries' | 'qrels', Part[]> {
  const found: Record<'corpus' | 'queries' | 'qrels', Part[]> = { corpus: [], queries: [], qrels: [] }
  if (!source.isFolder) return found
  const card = cardParts(source)
  for (const file of source.files.filter((one) => TABLE.test(one) && !LATER_SHARD.test(one))) {
    const { keys } = source.shape(file)
    const names = keys.map((key) => key.toLowerCase().replaceAll('-', '_'))
    const has = (wanted: readonly string[]) => wanted.some((name) => names.includes(name))
    const part = card.find((one) => one.has(file)) ?? placeOf(file)
    if (config !== undefined && !part.config.split(/[-_/]/).includes(config) && part.config !== config)
      continue
    const label = `${part.config}/${file}`
    const one = { file, config: part.config, split: part.split }
    if (hasLabels({ keys })) found.qrels.push(one)
    else if (has(['retrieval_gt', 'context', 'contexts', 'doc_ids'])) continue
    else if (/quer(?:y|ies)|questions|topics/i.test(label)) found.queries.push(one)
    else if (has(['answers'])) continue
    else if (/corpus|docs|documents|passages|collection/i.test(label)) found.corpus.push(one)
  }
  return { corpus: preferred(found.corpus), queries: preferred(found.queries), qrels: preferred(found.qrels) }
}

/** Parts in Parquet or JSONL if there are any: sets of MTEB hold the same labels as TSV next to them. */
function preferred(parts: Part[]): Part[] {
  const typed = parts.filter(({ file }) => !/\.[ct]sv(?:\.gz)?$/.test(file))
  return typed.length > 0 ? typed : parts
}

/** `corpus/test-00000-of-00001.parquet` -> corpus, test. */
function placeOf(file: string): { config: string; split: string } {
  const folders = file.split('/').slice(0, -1)
  // `save_to_disk` writes a folder for each split, or one without splits.
  if (file.endsWith('.arrow')) {
    const split = folders.length > 1 ? (folders.pop() as string) : 'test'
    return { config: folders.join('/'), split }
  }
  const folder = folders.join('/')
  const name = basename(file)
    .replace(TABLE, '')
    .replace(/-\d{5}-of-\d{5}.*$/, '')
  // In one folder the files themselves are the configs.
  return folder === '' || folder === 'data'
    ? { config: name, split: 'test' }
    : { config: folder, split: name }
}

/** Configs and splits of the folder's dataset card; none if there is no card that says them. */
function cardParts(source: Source): { config: string; split: string; has: (file: string) => boolean }[] {
  const file = join(source.path, CARD)
  const configs = existsSync(file) ? cardConfigs(readText(file)) : []
  return configs.flatMap(({ name, splits }) => splits.map((one) => ({ config: name, ...one })))
}

function oneConfig(parts: readonly Part[], kind: string, sink: DatasetSink): readonly Part[] {
  const configs = [...new Set(parts.map(({ config }) => config))]
  if (configs.length === 1) return parts
  sink.diagnostic({
    file: kind,
    message:
      configs.length === 0
        ? `is missing: no Parquet, Arrow, JSONL, CSV or TSV file holds the ${kind}`
        : `could be any of ${configs.join(', ')}; say which with \`config\``,
  })
  return []
}

function splitsOf(
  qrels: readonly Part[],
  split: string | undefined,
  sink: DatasetSink,
): readonly string[] | undefined {
  const splits = [...new Set(qrels.map((part) => part.split))]
  const wanted = split ?? (splits.includes('test') || splits.length !== 1 ? 'test' : splits[0])
  if (splits.includes(wanted)) return [wanted]
  if (wanted === 'all' && splits.length > 0) return splits
  if (splits.length > 0)
    sink.diagnostic({
      file: 'qrels',
      message: `have no split \`${wanted}\`; say which with \`split\`: ${splits.join(', ')}`,
    })
  return undefined
}
