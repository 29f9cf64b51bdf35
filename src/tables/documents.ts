import type { Document } from '../types.ts'
import { type ParquetColumn, rowNumbers, text } from './column.ts'
import { readMetadata, writeMetadata } from './metadata.ts'
import { readOwnTable, writeOwnTable } from './schema.ts'

const SCHEMA = { name: 'documents', version: 1 }

/** Writes documents in the given order, with Microsoft GraphRAG's column names; `metadata` is JSON text. */
export function writeDocuments(path: string, documents: readonly Document[]): void {
  const columns = [...documentColumns(documents), text('metadata', writeMetadata(documents))]
  writeOwnTable(path, SCHEMA, columns)
}

export const documentColumns = (documents: readonly Document[]): ParquetColumn[] => [
  { name: 'id', type: 'string', values: documents.map(({ id }) => id) },
  rowNumbers(documents),
  { name: 'title', type: 'string', values: documents.map(({ title }) => title) },
  { name: 'text', type: 'string', values: documents.map(({ text }) => text) },
]

export async function readDocuments(path: string): Promise<Document[]> {
  const table = await readOwnTable(path, SCHEMA)
  const ids = table.strings('id')
  const titles = table.strings('title')
  const texts = table.strings('text')
  const metadata = readMetadata(table)
  return ids.map((id, row) => ({ id, title: titles[row], text: texts[row], metadata: metadata[row] }))
}

export async function readDocumentIds(path: string): Promise<Pick<Document, 'id'>[]> {
  const table = await readOwnTable(path, SCHEMA, ['id'])
  return table.strings('id').map((id) => ({ id }))
}
