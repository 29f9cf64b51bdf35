import { readdirSync, statSync } from 'node:fs'
import { oneOf } from '../store/alternates.ts'
import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'
import { eachFileLine } from './lines.ts'
import { parseRecord } from './records.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

/**
 * Files of `mongoexport`: one record a line, with --jsonArray a list of records, with --pretty records over many lines;
 * plain or gzip. Values in extended JSON (https://github.com/mongodb/specifications, extended-json, version 2) become
 * plain ones.
 */

export type MongoRecord = Readonly<Record<string, Json>>
type Diagnostics = Pick<DatasetSink, 'diagnostic'>

/**
 * The files of a collection in a folder: `name.json` or `name.jsonl`, plain or `.gz`. Without one, those that a pipeline
 * writes a document each (`x.legacy.json`), of which `merged.legacy.json` has all. Throws a UserError if two have its name.
 */
export function collectionFiles(folder: string, name: string, legacy: string): string[] {
  const files = filesIn(folder)
  const named = oneOf(
    folder,
    files.filter((file) => isNamed(file, name)),
  )
  if (named !== undefined) return [named]
  const many = files.filter((file) => file.endsWith(`.${legacy}.json`))
  const merged = many.filter((file) => file === `merged.${legacy}.json`)
  return merged.length > 0 ? merged : many
}

/** Every file of a folder that has the name of a collection. */
export function namedForCollection(folder: string, name: string, legacy: string): string[] {
  return filesIn(folder).filter((file) => isNamed(file, name) || file.endsWith(`.${legacy}.json`))
}

function filesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : []
}

function isNamed(file: string, collection: string): boolean {
  return file.startsWith(collection) && /^\.jsonl?(?:\.gz)?$/.test(file.slice(collection.length))
}

/**
 * Calls `take` for every record of a file with its first line. `inside`: where a record holds a list under this name, its
 * items are the records. What is no record, and a file that ends within one, is an error with its line.
 */
export async function eachMongoRecord(
  folder: string,
  file: string,
  inside: string,
  sink: Diagnostics,
  take: (record: MongoRecord, location: DataLocation) => void,
): Promise<void> {
  const give = (text: string, line: number) => {
    const location = { file, line }
    const fields = parseRecord(text, location, sink)
    if (!fields) return
    const found = plain(fields as Json) as MongoRecord
    const items = found[inside]
    if (!Array.isArray(items)) return take(found, location)
    items.forEach((item, index) => {
      if (isMap(item)) take(item as MongoRecord, location)
      else sink.diagnostic({ ...location, message: `item ${index + 1} of "${inside}" is not an object` })
    })
  }
  const scan = createScan(give, (line, message) => sink.diagnostic({ file, line, message }))
  await eachFileLine(folder, file, sink, scan.line)
  scan.end()
}

/**
 * Cuts lines into top-level objects, by brackets and quotes alone; whether one is JSON is seen when it is parsed. After
 * something that is neither an object nor a separator of two, the rest is not read.
 */
function createScan(
  give: (text: string, line: number) => void,
  wrong: (line: number, message: string) => void,
) {
  let parts: string[] = []
  let first = 0
  let depth = 0
  let last = 0
  /** Line at which the list begins. */
  let list: number | undefined
  let state: 'before' | 'records' | 'closed' | 'broken' = 'before'

  function line(text: string, number: number) {
    last = number
    let start = 0
    let quoted = false
    for (let at = 0; at < text.length && state !== 'broken'; at++) {
      const character = text[at]
      if (depth > 0) {
        if (quoted) {
          if (character === '\\') at++
          else if (character === '"') quoted = false
        } else if (character === '"') quoted = true
        else if (character === '{' || character === '[') depth++
        else if ((character === '}' || character === ']') && --depth === 0) {
          give([...parts, text.slice(start, at + 1)].join('\n'), first)
          parts = []
        }
      } else if (character === '{' && state !== 'closed') {
        depth = 1
        first = number
        start = at
        if (state === 'before') state = 'records'
      } else if (character === '[' && state === 'before') {
        state = 'records'
        list = number
      } else if (character === ']' && state === 'records' && list !== undefined) state = 'closed'
      else if (!/\s/.test(character) && !(character === ',' && list !== undefined && state === 'records')) {
        state = 'broken'
        wrong(number, `is not a record of mongoexport here, but \`${text.slice(at, at + 40)}\``)
      }
    }
    if (depth > 0) parts.push(text.slice(start))
  }

  function end() {
    const cut = 'the file seems to be cut; export it again'
    if (state === 'broken') return
    if (depth > 0) wrong(last, `ends within the record that begins in line ${first}: ${cut}`)
    else if (list !== undefined && state !== 'closed')
      wrong(last, `the list that begins in line ${list} has no end: ${cut}`)
  }

  return { line, end }
}

/** Extended JSON -> JSON: ids and dates as text, numbers as numbers; not a number and the infinite as null. */
export function plain(value: Json): Json {
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

type Scalar = string | number | boolean
type RecordFilter = Readonly<Record<string, Scalar | readonly Scalar[]>>
