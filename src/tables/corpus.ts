import { UserError } from '../errors.ts'
import type { Chunk, Document, Json } from '../types.ts'
import { type ParquetColumn, rowNumbers } from './column.ts'
import { readOwnTable, writeOwnTable } from './parquet.ts'
import type { TableBuilder } from './table.ts'

/** Tables of documents and chunks, with Microsoft GraphRAG's columns and ours. */

const DOCUMENTS = { name: 'documents', version: 1 }
const TEXT_UNITS = { name: 'text_units', version: 1 }

export function writeDocuments(path: string, documents: readonly Document[]): void {
  writeOwnTable(path, DOCUMENTS, [...documentColumns(documents), metadataColumn(documents)])
}

export const documentColumns = (documents: readonly Document[]): ParquetColumn[] => [
  { name: 'id', type: 'string', values: documents.map(({ id }) => id) },
  rowNumbers(documents),
  { name: 'title', type: 'string', values: documents.map(({ title }) => title) },
  { name: 'text', type: 'string', values: documents.map(({ text }) => text) },
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
    { name: 'position', type: 'integer', values: chunks.map(({ position }) => position) },
    { name: 'start', type: 'integer', values: chunks.map(({ start }) => start) },
    { name: 'end', type: 'integer', values: chunks.map(({ end }) => end) },
    { name: 'section', type: 'strings', values: chunks.map(({ section }) => section) },
    { name: 'title', type: 'string', values: chunks.map(({ title }) => title) },
    metadataColumn(chunks),
    ...(typed ? typedColumns(chunks) : []),
  ])
}

export const unitColumns = (chunks: readonly Chunk[]): ParquetColumn[] => [
  { name: 'id', type: 'string', values: chunks.map(({ id }) => id) },
  rowNumbers(chunks),
  { name: 'text', type: 'string', values: chunks.map(({ text }) => text) },
  { name: 'n_tokens', type: 'integer', values: chunks.map(({ tokens }) => tokens) },
  { name: 'document_id', type: 'string', values: chunks.map(({ documentId }) => documentId) },
]

/** Columns of typed metadata; a value of another type is null there. */
function typedColumns(chunks: readonly Chunk[]): ParquetColumn[] {
  const all = <T>(name: string, convert: (value: Json | undefined) => T) =>
    chunks.map(({ metadata }) => convert(Object.hasOwn(metadata, name) ? metadata[name] : undefined))
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : null)
  const texts = (value: Json | undefined) =>
    (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string')
  const whole = (value: Json | undefined) => (Number.isSafeInteger(value) ? Number(value) : Number.NaN)
  const flag = (value: Json | undefined) => (typeof value === 'boolean' ? value : null)
  return [
    { name: 'content_kind', type: 'string', values: all('content_kind', text) },
    { name: 'tags', type: 'strings', values: all('tags', texts) },
    { name: 'traits', type: 'strings', values: all('traits', texts) },
    { name: 'page', type: 'integer', optional: true, values: all('page', whole) },
    { name: 'heading_level', type: 'integer', optional: true, values: all('heading_level', whole) },
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
  return { name: 'metadata', type: 'string', values }
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
      throw new UserError({ file: table.path, message: `column "metadata", row ${row + 1}: not JSON` })
    }
  })
}
