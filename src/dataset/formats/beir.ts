import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { findFile, hasFile } from '../../store/alternates.ts'
import type { ColumnChoice } from '../../tables/roles.ts'
import { didYouMean } from '../../text/nearest.ts'
import { DOCUMENT_NAMES, namesIn, QUERY_NAMES } from '../field-names.ts'
import { defineDatasetFormat } from '../format.ts'
import { eachFileLine } from '../lines.ts'
import { policyShape } from '../policies.ts'
import { readJudgedQueries, readQrelLines, readSpans } from '../qrel-lines.ts'
import { documentOf, misplacedFields, parseRecord, queryOf } from '../records.ts'
import type { DatasetSink } from '../sink.ts'
import { hasKeys, hasLabels } from '../source.ts'
import type { JudgedUnit } from '../types.ts'

/**
 * A BEIR folder (Thakur et al., NeurIPS 2021), each file plain or `.gz`; the corpus may be alone:
 *
 *     corpus.jsonl       {"_id", "title" (optional), "text", "metadata" (optional object)}
 *     queries.jsonl      {"_id", "text", "metadata": {"category", "answers", "answerable"} (each optional)}
 *     qrels/<split>.tsv  query-id, corpus-id, score; our optional fourth column `group` names alternatives
 *     qrels/spans.tsv    (ours, optional) query-id, corpus-id, start, end: gold as spans of characters
 */
export const beirDataset = defineDatasetFormat({
  name: 'beir',
  summary: 'a BEIR folder: corpus.jsonl, queries.jsonl, qrels/<split>.tsv',
  drops:
    'other fields of a query, nested ones of a document and its metadata; queries that another split judges, counted',
  params: z.strictObject({
    path: z.string().describe('the folder or zip'),
    split: z
      .string()
      .regex(/^[\w.-]+$/, 'must be the name of a file in qrels/, without .tsv')
      .default('test')
      .describe('file of qrels/; `all` reads every one'),
    columns: z
      .partialRecord(z.enum(['query', 'document', 'grade', 'group']), z.union([z.string(), z.int().min(1)]))
      .optional()
      .describe(
        'columns of the qrels by name or number from 1, as {document: 3, grade: 4}, if names and content are ambiguous',
      ),
    judged: z
      .enum(['document', 'chunk', 'span'])
      .optional()
      .describe('judged unit; spans if there is qrels/spans.tsv, else documents'),
    ...policyShape,
  }),
  sniff: (source) => {
    const { files, isFolder } = source
    const own = files.filter((file) =>
      /^(?:corpus|queries)\.jsonl(?:\.gz)?$|^qrels\/[^/]+\.tsv(?:\.gz)?$/.test(file),
    )
    const isCorpus = own.some((file) => file.startsWith('corpus.'))
    const isRest =
      own.some((file) => file.startsWith('queries.')) && own.some((file) => file.startsWith('qrels/'))
    // Qrels in other files are Hugging Face's.
    const isOther =
      files.some(
        (file) =>
          /^qrels(?:\/.*)?\.(?:jsonl|parquet|csv|tsv)(?:\.gz)?$/.test(file) && hasLabels(source.shape(file)),
      ) && !own.some((file) => file.startsWith('qrels/'))
    // SciFact as first published has a corpus.jsonl of other keys.
    const isScifact =
      own.length === 1 && files.some((file) => /^claims/.test(file) && hasKeys(source.shape(file), 'claim'))
    return isFolder && !isOther && !isScifact && (isCorpus || isRest) ? { files: own } : undefined
  },
  async load({ path, split, judged, columns }, sink) {
    const corpus = required(path, 'corpus.jsonl', sink)
    const isAlone = corpus !== undefined && isCorpusAlone(path)
    const queries = isAlone ? undefined : required(path, 'queries.jsonl', sink)
    if (isAlone) sink.notice(alone(path))
    if (corpus) {
      const names = namesIn(path, corpus, DOCUMENT_NAMES, sink)
      const lines = await eachFileLine(path, corpus, sink, (text, line) => {
        const location = { file: corpus, line }
        const fields = parseRecord(text, location, sink)
        const document = fields && documentOf(fields, names, location, sink)
        if (document) sink.document(document, location)
      })
      if (lines === 0) sink.diagnostic({ file: corpus, message: 'holds no document: the file is empty' })
    }
    if (queries) {
      const names = namesIn(path, queries, QUERY_NAMES, sink)
      const misplaced = misplacedFields(queries, sink, [names.id, names.text, 'metadata'])
      const lines = await eachFileLine(path, queries, sink, (text, line) => {
        const location = { file: queries, line }
        const fields = parseRecord(text, location, sink)
        const query = fields && queryOf(fields, names, location, sink)
        if (fields) misplaced.see(fields)
        if (query) sink.query(query, location)
      })
      misplaced.close()
      if (lines === 0) sink.diagnostic({ file: queries, message: 'holds no query: the file is empty' })
    }
    const spans = findFile(path, 'qrels/spans.tsv')
    const unit = judged ?? (spans ? 'span' : 'document')
    sink.judged(unit)
    if (isAlone) return
    if (unit === 'span') {
      if (spans) await readSpans(path, spans, sink)
      else sink.diagnostic({ file: 'qrels/spans.tsv', message: 'is missing, and `judged: span` asks for it' })
    }
    await readSplit(path, split, { columns, unit }, sink)
  },
})

/** Notice of a corpus without queries; names files that look like its questions. */
function alone(path: string): string {
  const files = readdirSync(path).filter((name) =>
    /^(?:questions?|quer(?:y|ies)|qa)\b.*\.(?:jsonl|csv|tsv|xlsx)$/i.test(name),
  )
  const named = files.length > 0 ? `; ${files.join(', ')} not read: name the file as \`questions\`` : ''
  return `no queries.jsonl and no qrels: the corpus can be prepared and asked, not run${named}`
}

/** True for a folder of documents without queries and qrels. */
function isCorpusAlone(path: string): boolean {
  return !hasFile(path, 'queries.jsonl') && !existsSync(join(path, 'qrels'))
}

async function readSplit(
  path: string,
  split: string,
  options: { readonly columns?: ColumnChoice; readonly unit: JudgedUnit },
  sink: DatasetSink,
): Promise<void> {
  const splits = splitsOf(path)
  const wanted = splits.filter((one) => one === split || (split === 'all' && !splits.includes('all')))
  for (const one of wanted) {
    const file = findFile(path, `qrels/${one}.tsv`)
    if (file) await readQrelLines(path, file, options, sink)
  }
  if (wanted.length === 0 && options.unit !== 'span') {
    const others = splits.length > 0 ? `; the folder has ${splits.join(', ')}` : ''
    sink.diagnostic({
      file: `qrels/${split}.tsv`,
      message: `is missing${didYouMean(split, splits)}${others}${splits.length === 0 ? elsewhere(path) : ''}`,
    })
  }
  for (const other of splits) {
    const judgedThere = wanted.includes(other) ? undefined : findFile(path, `qrels/${other}.tsv`)
    if (judgedThere) await readJudgedQueries(path, judgedThere, sink)
  }
}

/** Words on qrels that lie beside the folder `qrels`. */
function elsewhere(path: string): string {
  const [file] = readdirSync(path).filter((name) =>
    /^(?:qrels|test|dev|train)\b.*\.(?:tsv|txt|trec|csv)$/.test(name),
  )
  return file === undefined ? '' : `; move ${file} there, with tabs between its columns`
}

function splitsOf(path: string): string[] {
  const folder = join(path, 'qrels')
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  const names = files.flatMap((file) => /^(.+)\.tsv(?:\.gz)?$/.exec(file)?.[1] ?? [])
  return [...new Set(names)].filter((name) => name !== 'spans')
}

/** Name of the file that exists; an error if none does. */
function required(path: string, file: string, sink: DatasetSink): string | undefined {
  const found = findFile(path, file)
  const stem = file.split('.')[0]
  const like = found ? [] : readdirSync(path).filter((name) => name.toLowerCase().startsWith(stem))
  if (!found)
    sink.diagnostic({
      file,
      message: `is missing${like.length > 0 ? `; the folder has ${like.join(', ')}: give it this name, unpacked or as .gz` : ''}`,
    })
  return found
}
