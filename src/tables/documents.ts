import type { Document } from '../types.ts'
import { readMetadata, writeMetadata } from './metadata.ts'
import { readTable, writeTable } from './parquet.ts'
import { requireSchema, schemaMetadata } from './schema.ts'

const SCHEMA = { name: 'documents', version: 1 }

/** Writes documents in the given order, with Microsoft GraphRAG's column names; `metadata` is JSON text. */
export function writeDocuments(path: string, documents: readonly Document[]): void {
  const columns = [
    { name: 'id', type: 'string', values: documents.map(({ id }) => id) },
    { name: 'human_readable_id', type: 'integer', values: documents.map((_, row) => row) },
    { name: 'title', type: 'string', values: documents.map(({ title }) => title) },
    { name: 'text', type: 'string', values: documents.map(({ text }) => text) },
    { name: 'metadata', type: 'string', values: writeMetadata(documents) },
  ] as const
  writeTable(path, columns, schemaMetadata(SCHEMA))
}

/** Reads what `writeDocuments` wrote, in its order. */
export async function readDocuments(path: string): Promise<Document[]> {
  const table = await readTable(path)
  requireSchema(table, SCHEMA)
  const ids = table.strings('id')
  const titles = table.strings('title')
  const texts = table.strings('text')
  const metadata = readMetadata(table)
  return ids.map((id, row) => ({ id, title: titles[row], text: texts[row], metadata: metadata[row] }))
}

export async function readDocumentIds(path: string): Promise<Pick<Document, 'id'>[]> {
  const table = await readTable(path, ['id'])
  requireSchema(table, SCHEMA)
  return table.strings('id').map((id) => ({ id }))
}
