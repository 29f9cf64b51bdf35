import { z } from 'zod'
import { findFile } from '../../store/alternates.ts'
import { isBlank } from '../../text/fold.ts'
import type { Json } from '../../types.ts'
import { type DocumentColumns, readDocumentTable } from '../document-table.ts'
import { DOCUMENT_NAMES, fieldIn, QUERY_NAMES } from '../field-names.ts'
import { defineDatasetFormat } from '../format.ts'
import { eachFileLine } from '../lines.ts'
import { policyShape } from '../policies.ts'
import { readTrecQrels } from '../qrel-lines.ts'
import { fieldsBeside, idField, parseRecord, textField } from '../records.ts'
import type { DatasetSink } from '../sink.ts'

const aColumn = z.int().min(1).optional()

/**
 * A folder of what `ir_datasets export <set> docs|queries|qrels` prints (MacAvaney et al., SIGIR 2021), each file
 * plain or `.gz`:
 *
 *     docs.jsonl     {"doc_id", "text", "title" (optional)}    or docs.tsv     doc_id, text, and a title before or after
 *     queries.jsonl  {"query_id", "text"}                      or queries.tsv  query_id, text
 *     qrels          query iteration document grade, as trec_eval reads it
 */
export const irDatasets = defineDatasetFormat({
  name: 'ir-datasets',
  summary: 'a folder of ir_datasets exports: docs, queries, qrels in TREC form',
  drops: 'other fields of a query, nested ones of a document',
  params: z.strictObject({
    path: z.string().describe('the folder'),
    columns: z
      .strictObject({ id: aColumn, title: aColumn, text: aColumn })
      .optional()
      .describe(
        'columns of docs.tsv by number from 1, as {text: 2, title: 3}, if neither is much longer; default of id: 1',
      ),
    ...policyShape,
  }),
  sniff: ({ files, isFolder }) => {
    const has = (names: readonly string[]) =>
      files.filter((file) => names.includes(file.replace(/\.gz$/, '')))
    const [docs, queries, qrels] = [has(DOCS), has(QUERIES), has(QRELS)]
    // One of the three may be missing, which the reader then reports.
    const kinds = [docs, queries, qrels].filter((kind) => kind.length > 0).length
    return isFolder && kinds > 1 && docs.length + qrels.length > 0
      ? { files: [...docs, ...queries, ...qrels] }
      : undefined
  },
  async load({ path, columns }, sink) {
    await read(path, DOCS, 'doc_id', columns, sink, ({ id, title, text, metadata, location }) =>
      sink.document({ id, title, text, metadata: metadata ?? {} }, location),
    )
    await read(path, QUERIES, 'query_id', undefined, sink, ({ id, text, location }) =>
      sink.query({ id, text, metadata: {}, category: null, answers: [], answerable: true }, location),
    )
    const qrels = find(path, QRELS, sink)
    if (qrels) await readTrecQrels(path, qrels, sink)
  },
})

const DOCS = ['docs.jsonl', 'docs.tsv']
const QUERIES = ['queries.jsonl', 'queries.tsv']
const QRELS = ['qrels', 'qrels.txt', 'qrels.trec', 'qrels.tsv']

/** Fields that hold the text, the first that a record has: ir_datasets calls it differently in each set. */
const TEXT_NAMES: Readonly<Record<'doc_id' | 'query_id', readonly string[]>> = {
  doc_id: ['text', 'body', 'contents', 'abstract', 'passage', 'default_text'],
  query_id: ['text', 'query', 'title', 'question'],
}

interface Item {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Other fields of the record; absent for a table. */
  readonly metadata?: Readonly<Record<string, Json>>
  readonly location: { file: string; line: number }
}

function find(path: string, names: readonly string[], sink: DatasetSink): string | undefined {
  const found = findFile(path, ...names)
  if (!found) sink.diagnostic({ file: names[0], message: `is missing (or ${names.slice(1).join(' or ')})` })
  return found
}

async function read(
  path: string,
  names: readonly string[],
  key: 'doc_id' | 'query_id',
  columns: DocumentColumns | undefined,
  sink: DatasetSink,
  take: (item: Item) => void,
) {
  const file = find(path, names, sink)
  if (!file) return
  if (/\.tsv(\.gz)?$/.test(file))
    return readDocumentTable(
      path,
      file,
      { what: key === 'doc_id' ? 'document' : 'query', columns },
      sink,
      take,
    )
  const idName = fieldIn(path, file, [key, ...(key === 'doc_id' ? DOCUMENT_NAMES : QUERY_NAMES).id])
  if (idName !== key) sink.notice(`${file}: id=${idName}`)
  const taken = new Set<string>()
  const lines = await eachFileLine(path, file, sink, (content, line) => {
    const location = { file, line }
    const fields = parseRecord(content, location, sink)
    if (!fields) return
    const id = idField(fields, idName, location, sink)
    const given = TEXT_NAMES[key].filter((one) => typeof fields[one] === 'string')
    const name = given.find((one) => !isBlank(String(fields[one]))) ?? given[0] ?? 'text'
    const others =
      key === 'doc_id' ? given.filter((one) => one !== name && !isBlank(String(fields[one]))) : []
    taken.add(
      others.length > 0 ? `\`${name}\` (not ${others.map((one) => `\`${one}\``).join(', ')})` : `\`${name}\``,
    )
    const title = name === 'title' ? '' : textField(fields, 'title', location, sink, '')
    const text = textField(fields, name, location, sink)
    const metadata = fieldsBeside(fields, [idName, 'title', name])
    if (id !== undefined && title !== undefined && text !== undefined)
      take({ id, title, text, metadata, location })
  })
  taken.delete('`text`')
  if (taken.size > 0) sink.notice(`${file}: text from ${[...taken].join(', ')}`)
  if (lines === 0)
    sink.diagnostic({
      file,
      message: `holds no ${key === 'doc_id' ? 'document' : 'query'}: the file is empty`,
    })
}
