import type { Chunk } from '../types.ts'
import { readMetadata, writeMetadata } from './metadata.ts'
import { readTable, writeTable } from './parquet.ts'
import { requireSchema, schemaMetadata } from './schema.ts'

const SCHEMA = { name: 'text_units', version: 1 }

/**
 * Writes chunks in the given order. `id`, `human_readable_id`, `text`, `n_tokens` and `document_id` are Microsoft
 * GraphRAG's columns; `position`, `start`, `end`, `section`, `title` and `metadata` are ours.
 */
export function writeTextUnits(path: string, chunks: readonly Chunk[]): void {
  const columns = [
    { name: 'id', type: 'string', values: chunks.map(({ id }) => id) },
    { name: 'human_readable_id', type: 'integer', values: chunks.map((_, row) => row) },
    { name: 'text', type: 'string', values: chunks.map(({ text }) => text) },
    { name: 'n_tokens', type: 'integer', values: chunks.map(({ tokens }) => tokens) },
    { name: 'document_id', type: 'string', values: chunks.map(({ documentId }) => documentId) },
    { name: 'position', type: 'integer', values: chunks.map(({ position }) => position) },
    { name: 'start', type: 'integer', values: chunks.map(({ start }) => start) },
    { name: 'end', type: 'integer', values: chunks.map(({ end }) => end) },
    { name: 'section', type: 'strings', values: chunks.map(({ section }) => section) },
    { name: 'title', type: 'string', values: chunks.map(({ title }) => title) },
    { name: 'metadata', type: 'string', values: writeMetadata(chunks) },
  ] as const
  writeTable(path, columns, schemaMetadata(SCHEMA))
}

/** Reads what `writeTextUnits` wrote, in its order. */
export async function readTextUnits(path: string): Promise<Chunk[]> {
  const table = await readTable(path)
  requireSchema(table, SCHEMA)
  const ids = table.strings('id')
  const documentIds = table.strings('document_id')
  const positions = table.numbers('position')
  const starts = table.numbers('start')
  const ends = table.numbers('end')
  const sections = table.lists('section')
  const titles = table.strings('title')
  const texts = table.strings('text')
  const tokens = table.numbers('n_tokens')
  const metadata = readMetadata(table)
  return ids.map((id, row) => ({
    id,
    documentId: documentIds[row],
    position: positions[row],
    start: starts[row],
    end: ends[row],
    section: sections[row],
    title: titles[row],
    text: texts[row],
    tokens: tokens[row],
    metadata: metadata[row],
  }))
}
