import { readdirSync, statSync } from 'node:fs'
import { z } from 'zod'
import { oneOf } from '../store/alternates.ts'
import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'
import { eachJsonRecord } from './json-records.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

/**
 * Files of `mongoexport`: one record a line, with --jsonArray a list of records, with --pretty records over many lines;
 * plain or gzip. Values in extended JSON (https://github.com/mongodb/specifications, extended-json, version 2) become
 * plain ones.
 */

export type MongoRecord = Readonly<Record<string, Json>>

const scalar = z.union([z.string(), z.number(), z.boolean()])

/** Filter of records: `{ruleset_id: x, book_id: [a, b]}`. */
export const whereParam = z
  .record(z.string(), z.union([scalar, z.array(scalar).min(1)]))
  .default({})
  .describe('only records with these values, as {ruleset_id: sf2e, book_id: [core, gm]}')

/**
 * The files of a collection in a folder: `name.json` or `name.jsonl`, plain or `.gz`. Without one, those that a pipeline
 * writes a document each (`x.legacy.json`), of which `merged.legacy.json` has all. Throws a UserError if two have its name.
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

/**
 * Calls `take` for every record of a file with its first line. `inside`: where a record holds a list under this name, its
 * items are the records.
 */
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
export function recordsIn(fields: MongoRecord, inside: string): readonly Json[] {
  const found = plain(fields) as MongoRecord
  const items = found[inside]
  return Array.isArray(items) ? items : [found]
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
    return values.some((one) => [wanted].flat().map(String).includes(String(one)))
  })
}

export type RecordFilter = z.output<typeof whereParam>
