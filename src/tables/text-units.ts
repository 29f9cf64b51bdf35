import type { Chunk, Json } from '../types.ts'
import { type ParquetColumn, rowNumbers } from './column.ts'
import { readMetadata, writeMetadata } from './metadata.ts'
import { readOwnTable, writeOwnTable } from './schema.ts'
import type { TableBuilder } from './table.ts'

const SCHEMA = { name: 'text_units', version: 1 }

/**
 * Writes chunks in the given order, with Microsoft GraphRAG's columns and ours. `typed`: metadata of `typedColumns` have
 * columns of their own too.
 */
export function writeTextUnits(path: string, chunks: readonly Chunk[], typed = false): void {
  const columns: ParquetColumn[] = [
    ...unitColumns(chunks),
    { name: 'position', type: 'integer', values: chunks.map(({ position }) => position) },
    { name: 'start', type: 'integer', values: chunks.map(({ start }) => start) },
    { name: 'end', type: 'integer', values: chunks.map(({ end }) => end) },
    { name: 'section', type: 'strings', values: chunks.map(({ section }) => section) },
    { name: 'title', type: 'string', values: chunks.map(({ title }) => title) },
    { name: 'metadata', type: 'string', values: writeMetadata(chunks) },
    ...(typed ? typedColumns(chunks) : []),
  ]
  writeOwnTable(path, SCHEMA, columns)
}

/** GraphRAG's columns that need no graph. */
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
  const [kind, rule] = ['content_kind', 'is_rule_bearing']
  return [
    { name: kind, type: 'string', values: all(kind, text) },
    ...['tags', 'traits'].map((name) => ({ name, type: 'strings', values: all(name, texts) }) as const),
    ...['page', 'heading_level'].map(
      (name) => ({ name, type: 'integer', optional: true, values: all(name, whole) }) as const,
    ),
    { name: rule, type: 'boolean', values: all(rule, flag) },
  ]
}

const FIELDS = [
  'id',
  'documentId',
  'position',
  'start',
  'end',
  'section',
  'title',
  'text',
  'tokens',
  'metadata',
] as const

/** Column and reader of each chunk field. */
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

export function readTextUnits(path: string): Promise<Chunk[]> {
  return readChunkColumns(path, FIELDS)
}

export async function readChunkColumns<F extends keyof Chunk>(
  path: string,
  fields: readonly F[],
): Promise<Pick<Chunk, F>[]> {
  const table = await readOwnTable(
    path,
    SCHEMA,
    fields.map((field) => READ[field][0]),
  )
  const columns = fields.map((field) => [field, READ[field][1](table)] as const)
  return Array.from({ length: table.rows }, (_, row) => {
    const chunk: Partial<Record<F, unknown>> = {}
    for (const [field, values] of columns) chunk[field] = values[row]
    return chunk as Pick<Chunk, F>
  })
}
