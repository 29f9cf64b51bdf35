import { readdirSync, statSync } from 'node:fs'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { oneOf } from '../../store/input.ts'
import { idError, kindOf } from '../../text/ids.ts'
import { isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { type Columns, column } from '../columns.ts'
import { defineFormat, type FileRule, type Params } from '../format.ts'
import { eachJsonRecord } from '../lines.ts'
import { questionOf } from '../mappers.ts'
import type { DataLocation, DatasetSink } from '../sink.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

export const whereParam = z
  .record(z.string(), z.union([scalar, z.array(scalar).min(1)]))
  .default({})
  .describe('only records with these values, as {ruleset_id: sf2e, book_id: [core, gm]}')

/** Files of a collection, whose records are plain values. `inside`: list of records in one record. */
const collection = (name: string, legacy: string, inside: string, columns?: Columns): FileRule => ({
  columns,
  name: `${name}.json`,
  find: ({ path }) => collectionFiles(path, name, legacy).map((file) => ({ file })),
  rows: (fields) => recordsIn(fields, inside),
  isMany: true,
  isOptional: name !== 'enriched_chunks',
})

/**
 * The collections of a rulebook pipeline, as mongoexport writes them, in one folder:
 *
 *     enriched_chunks     {chunk_id, text, section_path, page, content_kind, tags, traits, is_rule_bearing, ruleset_id, ...}
 *     questions           {query_id, query, expected_chunk_ids, answer, category, answerable} (names that are ours)
 *     traversal_indexes   {ruleset_id, book_id, run_id, ...}: reported, and its runs must be those of the chunks
 *
 * Chunks are documents, cut already. Without questions such a corpus can be prepared and asked. graph_nodes and graph_edges are read
 * by the extractor `mongoexport`.
 */
export const mongoexportDataset = defineFormat({
  name: 'mongoexport',
  summary: "a rulebook pipeline's collections: enriched_chunks, questions, traversal_indexes",
  drops: 'records that a filter leaves out, counted',
  path: 'the folder',
  params: { where: whereParam },
  roles: {
    corpus: collection('enriched_chunks', 'enriched', 'chunks', {
      id: column('chunk_id'),
      text: column('text'),
    }),
    questions: collection('questions', 'evaluation_queries', 'queries', {
      id: column('query_id'),
      text: column('query'),
    }),
    notes: collection('traversal_indexes', 'traversal_index', 'indexes'),
  },
  hasFixedNames: true,
  recognises: ({ path }) => collectionFiles(path, 'enriched_chunks', 'enriched').length > 0,
  document({ id, text }, { fields: record, params }) {
    const { _id, chunk_id: _chunk, text: _text, section_path: path = [], ...metadata } = record
    if (!Array.isArray(path) || !path.every((name) => typeof name === 'string'))
      throw new UserError('`section_path` must be a list of texts')
    return {
      id,
      title: path.at(-1) ?? '',
      text,
      metadata: { ...metadata, ...(path.length > 0 && { section: path }) },
      ...(!isWanted(record, params.where) && { skip: 'chunks that are not what `where` asks for, left out' }),
    }
  },
  question({ id, text }, { fields: record, params }) {
    const { _id, query_id: _query, query: _text, expected_chunk_ids: gold = [], answer, ...metadata } = record
    const wrong = Array.isArray(gold) ? gold.map(idError).find((error) => error !== undefined) : kindOf(gold)
    if (wrong !== undefined)
      throw new UserError(
        `\`expected_chunk_ids\` ${Array.isArray(gold) ? `holds an id that ${wrong}` : `must be a list of ids, not ${wrong}`}`,
      )
    // A question of no book in particular is one of every book.
    const conditions = Object.entries(params.where as object).filter(([field]) => field in record)
    return {
      ...questionOf({ id, text, metadata: { ...metadata, ...(answer != null && { answers: answer }) } }),
      gold: [...new Set((gold as Json[]).map(String))],
      ...(!isWanted(record, Object.fromEntries(conditions)) && { skip: '' }),
    }
  },
  note(record, documents, { where }: Params) {
    if (!isWanted(record, where)) return undefined
    const { run_id: run = null, ruleset_id, book_id } = record as MongoRecord
    if (![...documents].some(({ metadata }) => (metadata.run_id ?? null) === run))
      throw new UserError(`is of the run "${run}", which has no chunk here`)
    return `built as run ${run} of ${[ruleset_id, book_id].filter(Boolean).join(', ')}`
  },
})

/**
 * Files of `mongoexport`, plain or gzip. Values in extended JSON (version 2,
 * https://github.com/mongodb/specifications) become plain ones.
 */

export type MongoRecord = Readonly<Record<string, Json>>

/**
 * Files of a collection in a folder: `name.json` or `name.jsonl`, plain or `.gz`. Without one, a file for each document
 * (`x.legacy.json`), of which `merged.legacy.json` has all. Throws a UserError if two have its name.
 */
export function collectionFiles(folder: string, name: string, legacy: string): string[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  const files = isFolder ? readdirSync(folder).sort() : []
  const named = oneOf(
    folder,
    files.filter((file) => file.startsWith(name) && /^\.jsonl?(?:\.gz)?$/.test(file.slice(name.length))),
  )
  if (named !== undefined) return [named]
  const many = files.filter((file) => file.endsWith(`.${legacy}.json`))
  const merged = many.filter((file) => file === `merged.${legacy}.json`)
  return merged.length > 0 ? merged : many
}

/** Calls `take` for every record of a file, and for each item of a record's list `inside`. */
export async function eachMongoRecord(
  folder: string,
  file: string,
  inside: string,
  sink: Pick<DatasetSink, 'diagnostic'>,
  take: (record: MongoRecord, location: DataLocation) => void,
): Promise<void> {
  await eachJsonRecord(folder, file, sink, (fields, location) => {
    recordsIn(fields, inside).forEach((item, index) => {
      if (isMap(item)) take(item as MongoRecord, location)
      else sink.diagnostic({ ...location, message: `item ${index + 1} of "${inside}" is not an object` })
    })
  })
}

/** Records in a record, as plain values: its list `inside`, or itself. */
function recordsIn(fields: MongoRecord, inside: string): readonly Json[] {
  const values = plain(fields) as MongoRecord
  const items = values[inside]
  return Array.isArray(items) ? items : [values]
}

/** Extended JSON -> JSON: ids and dates as text, numbers as numbers; not a number and the infinite as null. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as MongoRecord)
  if (entries.length === 1) {
    const [[type, inner]] = entries
    if (type === '$oid' || type === '$uuid' || type === '$symbol') return inner
    if (type === '$date') return dateOf(inner)
    if (/^\$number(?:Int|Long|Double|Decimal)$/.test(type)) return finite(Number(inner))
    if (type === '$undefined') return null
  }
  return Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner)]))
}

/** `2026-01-27T10:00:00Z`, or milliseconds since 1970 where the year is not of four digits. */
function dateOf(value: Json): Json {
  if (typeof value === 'string') return value
  const date = new Date(Number(plain(value)))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/** True if a record has one of the wanted values in each field; values are compared as text. */
export function isWanted(record: MongoRecord, where: RecordFilter): boolean {
  return Object.entries(where).every(([field, wanted]) => {
    const values = [Object.hasOwn(record, field) ? record[field] : []].flat()
    return values.some((item) => [wanted].flat().map(String).includes(String(item)))
  })
}

type RecordFilter = z.output<typeof whereParam>
