import { UserError } from '../errors.ts'
import type { Chunk, Document, Json } from '../types.ts'
import { type ParquetColumn, rowNumbers, text, texts, whole } from './column.ts'
import { readOwnTable, writeOwnTable } from './parquet.ts'
import type { TableBuilder } from './table.ts'

/** Tables of documents and chunks, with Microsoft GraphRAG's columns and ours. */

const DOCUMENTS = { name: 'documents', version: 1 }
const TEXT_UNITS = { name: 'text_units', version: 1 }

export function writeDocuments(path: string, documents: readonly Document[]): void {
  writeOwnTable(path, DOCUMENTS, [...documentColumns(documents), metadataColumn(documents)])
}

export const documentColumns = (documents: readonly Document[]): ParquetColumn[] => [
  text(
    'id',
    documents.map(({ id }) => id),
  ),
  rowNumbers(documents),
  text(
    'title',
    documents.map(({ title }) => title),
  ),
  text(
    'text',
    documents.map(({ text }) => text),
  ),
]

export async function readDocuments(path: string): Promise<Document[]> {
  const table = await readOwnTable(path, DOCUMENTS)
  const titles = table.strings('title')
  const texts = table.strings('text')
  const metadata = readMetadata(table)
  return table
    .strings('id')
    .map((id, row) => ({ id, title: titles[row], text: texts[row], metadata: metadata[row] }))
}

export async function readDocumentIds(path: string): Promise<Pick<Document, 'id'>[]> {
  const table = await readOwnTable(path, DOCUMENTS, ['id'])
  return table.strings('id').map((id) => ({ id }))
}

/** `typed`: metadata of `typedColumns` have columns of their own too. */
export function writeTextUnits(path: string, chunks: readonly Chunk[], typed = false): void {
  writeOwnTable(path, TEXT_UNITS, [
    ...unitColumns(chunks),
    whole(
      'position',
      chunks.map(({ position }) => position),
    ),
    whole(
      'start',
      chunks.map(({ start }) => start),
    ),
    whole(
      'end',
      chunks.map(({ end }) => end),
    ),
    texts(
      'section',
      chunks.map(({ section }) => section),
    ),
    text(
      'title',
      chunks.map(({ title }) => title),
    ),
    metadataColumn(chunks),
    ...(typed ? typedColumns(chunks) : []),
  ])
}

export const unitColumns = (chunks: readonly Chunk[]): ParquetColumn[] => [
  text(
    'id',
    chunks.map(({ id }) => id),
  ),
  rowNumbers(chunks),
  text(
    'text',
    chunks.map(({ text }) => text),
  ),
  whole(
    'n_tokens',
    chunks.map(({ tokens }) => tokens),
  ),
  text(
    'document_id',
    chunks.map(({ documentId }) => documentId),
  ),
]

/** Columns of typed metadata; a value of another type is null there. */
function typedColumns(chunks: readonly Chunk[]): ParquetColumn[] {
  const all = <T>(name: string, convert: (value: Json | undefined) => T) =>
    chunks.map(({ metadata }) => convert(Object.hasOwn(metadata, name) ? metadata[name] : undefined))
  const asText = (value: Json | undefined) => (typeof value === 'string' ? value : null)
  const asTexts = (value: Json | undefined) =>
    (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string')
  const asWhole = (value: Json | undefined) => (Number.isSafeInteger(value) ? Number(value) : Number.NaN)
  const flag = (value: Json | undefined) => (typeof value === 'boolean' ? value : null)
  return [
    text('content_kind', all('content_kind', asText)),
    texts('tags', all('tags', asTexts)),
    texts('traits', all('traits', asTexts)),
    { name: 'page', type: 'integer', optional: true, values: all('page', asWhole) },
    { name: 'heading_level', type: 'integer', optional: true, values: all('heading_level', asWhole) },
    { name: 'is_rule_bearing', type: 'boolean', values: all('is_rule_bearing', flag) },
  ]
}

const READ: { readonly [F in keyof Chunk]: readonly [string, (table: TableBuilder) => readonly Chunk[F][]] } =
  {
    id: ['id', (table) => table.strings('id')],
    documentId: ['document_id', (table) => table.strings('document_id')],
    position: ['position', (table) => table.numbers('position')],
    start: ['start', (table) => table.numbers('start')],
    end: ['end', (table) => table.numbers('end')],
    section: ['section', (table) => table.lists('section')],
    title: ['title', (table) => table.strings('title')],
    text: ['text', (table) => table.strings('text')],
    tokens: ['n_tokens', (table) => table.numbers('n_tokens')],
    metadata: ['metadata', readMetadata],
  }

export const CHUNK_FIELDS = Object.keys(READ) as (keyof Chunk)[]

export async function readChunks<F extends keyof Chunk>(
  path: string,
  fields: readonly F[],
): Promise<Pick<Chunk, F>[]> {
  const columns = fields.map((field) => READ[field][0])
  const table = await readOwnTable(path, TEXT_UNITS, columns)
  const values = fields.map((field) => READ[field][1](table))
  return Array.from({ length: table.rows }, (_, row) => {
    const chunk: Partial<Record<F, unknown>> = {}
    fields.forEach((field, column) => {
      chunk[field] = values[column][row]
    })
    return chunk as Pick<Chunk, F>
  })
}

type Metadata = Readonly<Record<string, Json>>

function metadataColumn(rows: readonly { readonly metadata: Metadata }[]): ParquetColumn {
  const values = rows.map(({ metadata }) =>
    Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata),
  )
  return text('metadata', values)
}

/** Reads a `metadata` column; equal texts share one object. */
function readMetadata(table: TableBuilder): Metadata[] {
  const parsed = new Map<string, Metadata>([['', {}]])
  return table.strings('metadata').map((text, row) => {
    try {
      const metadata = parsed.get(text) ?? (JSON.parse(text) as Metadata)
      parsed.set(text, metadata)
      return metadata
    } catch {
      throw new UserError(`column "metadata", row ${row + 1}: not JSON`, table.path)
    }
  })
}
