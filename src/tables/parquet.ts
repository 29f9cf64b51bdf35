import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type SchemaElement,
} from 'hyparquet'
import { fileWriter, parquetWrite } from 'hyparquet-writer'
import { snappyCompressor, snappyUncompressor } from 'hysnappy'
import { UserError } from '../errors.ts'
import { writeRenamed } from '../store/write.ts'
import { isMap, parseJson } from '../text/json.ts'
import { columnSource, type ParquetColumn, schemaOf } from './column.ts'
import { createTable, type TableBuilder } from './table.ts'

/** Bytes read at a file's end; its directory is mostly shorter. */
const FOOTER = 2 ** 16

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

function unreadable(path: string, error: unknown): UserError {
  const reason = error instanceof Error ? error.message : String(error)
  return new UserError(`is not a readable Parquet file: ${reason}`, path)
}

/** One row group per 100,000 rows, Snappy, no dates or names of machines: equal content gives equal bytes. */
export function writeTable(
  path: string,
  columns: readonly ParquetColumn[],
  metadata: Readonly<Record<string, string>> = {},
): void {
  const sources = columns.map(columnSource)
  const lengths = new Set(sources.map(({ data }) => data.length))
  if (lengths.size > 1) throw new Error(`${path}: columns differ in length: ${[...lengths].join(', ')}`)
  const schema: SchemaElement[] = [
    { name: 'schema', repetition_type: 'REQUIRED', num_children: columns.length },
    ...columns.flatMap(schemaOf),
  ]
  writeRenamed(path, (fresh) => {
    // Written megabyte by megabyte: memory never holds a large table twice.
    parquetWrite({
      writer: fileWriter(fresh),
      columnData: sources,
      schema,
      // In WebAssembly: three times as fast as JavaScript. A fresh one per file, since its bytes depend on earlier
      // calls.
      compressors: { SNAPPY: snappyCompressor() },
      rowGroupSize: 100_000,
      // Nothing skips row groups by their extremes; to find these takes a fifth of the time.
      statistics: false,
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'touchstone',
    })
  })
}

/** Reads a Parquet file, or the columns named that it has. Throws a UserError if it cannot be read. */
export async function readTable(path: string, only?: readonly string[]): Promise<TableBuilder> {
  const { file, close } = openRanges(path)
  try {
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: FOOTER })
    const compressors = await codecsOf(metadata)
    const names = topLevel(metadata.schema)
    const wanted = only ? names.filter((name) => only.includes(name)) : names
    const pieces = new Map<string, { start: number; data: ArrayLike<unknown> }[]>(
      wanted.map((name) => [name, []]),
    )
    // One row group at a time: the library reads all bytes that it is asked for before it decodes any.
    let rowEnd = 0
    for (const { num_rows } of wanted.length > 0 ? metadata.row_groups : []) {
      const rowStart = rowEnd
      rowEnd += Number(num_rows)
      await parquetRead({
        file,
        metadata,
        columns: [...wanted],
        rowStart,
        rowEnd,
        compressors,
        utf8: false,
        // The library's own decoder drops a leading byte order mark, which would shift every offset into the text.
        parsers: { stringFromBytes: (text) => text && UTF8.decode(text) },
        onChunk: ({ columnName, columnData, rowStart }) => {
          pieces.get(columnName)?.push({ start: rowStart, data: asNumbers(columnData) })
        },
      })
    }
    const columns = new Map<string, ArrayLike<unknown>>()
    const keys = new Map((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? '']))
    const classes = classNames(keys.get('huggingface'))
    for (const [name, list] of pieces) {
      const [data, names] = [join(list), classes.get(name)]
      columns.set(name, names ? Array.from(data, (value) => className(value, names)) : data)
    }
    return createTable(path, Number(metadata.num_rows), columns, keys, names)
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    close()
  }
}

/** A file that is read by ranges: a column of a large table costs only its bytes. */
function openRanges(path: string): { file: AsyncBuffer; close: () => void } {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    throw unreadable(path, error)
  }
  const byteLength = fstatSync(descriptor).size
  const slice = (start: number, end = byteLength): ArrayBuffer => {
    const bytes = new Uint8Array(Math.min(end, byteLength) - start)
    for (let read = 0; read < bytes.length; ) {
      const more = readSync(descriptor, bytes, read, bytes.length - read, start + read)
      if (more === 0) throw new Error('it ends too early')
      read += more
    }
    return bytes.buffer
  }
  return { file: { byteLength, slice }, close: () => closeSync(descriptor) }
}

function topLevel(schema: readonly SchemaElement[]): string[] {
  const names: string[] = []
  let at = 1
  const skip = () => {
    const { num_children: children = 0 } = schema[at++]
    for (let child = 0; child < children; child++) skip()
  }
  while (at < schema.length) {
    names.push(schema[at].name)
    skip()
  }
  return names
}

/** INT64 as numbers, if these hold every digit: each bigint would be an object of its own. */
function asNumbers(data: ArrayLike<unknown>): ArrayLike<unknown> {
  if (!(data instanceof BigInt64Array || data instanceof BigUint64Array)) return data
  const numbers = Float64Array.from(data as BigInt64Array, Number)
  return numbers.every(Number.isSafeInteger) ? numbers : data
}

function join(pieces: { start: number; data: ArrayLike<unknown> }[]): ArrayLike<unknown> {
  if (pieces.length === 1) return pieces[0].data
  const joined: unknown[] = []
  for (const { data } of pieces.sort((a, b) => a.start - b.start)) {
    for (let row = 0; row < data.length; row++) joined.push(data[row])
  }
  return joined
}

const OWN: Compressors = { SNAPPY: snappyUncompressor() }

/** Loads the other codecs only for a file that uses one, since each command would pay for them. */
export async function codecsOf({ row_groups }: FileMetaData): Promise<Compressors> {
  const used = new Set(row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec)))
  used.delete('UNCOMPRESSED')
  used.delete('SNAPPY')
  return used.size === 0 ? OWN : (await import('hyparquet-compressors')).compressors
}

const isRelevant = (name: string) => /^relevant$/i.test(name)
const isOther = (name: string) => /^(?:ir|non[-_ ]?|not[-_ ]?)relevant$/i.test(name)

/**
 * Names of classes (`ClassLabel`) by column, from the schema that Hugging Face writes into a table. Classes called
 * relevant and irrelevant are the grades 1 and 0.
 */
export function classNames(schema: string | undefined): ReadonlyMap<string, readonly (string | number)[]> {
  const { value } = parseJson(schema ?? '{}')
  const { info } = isMap(value) ? value : {}
  const { features } = isMap(info) ? info : {}
  return new Map(
    Object.entries(isMap(features) ? features : {}).flatMap(([column, feature]) => {
      const { names } = isMap(feature) && feature._type === 'ClassLabel' ? feature : {}
      if (!Array.isArray(names)) return []
      const isGrade = names.every((name) => isRelevant(name) || isOther(name))
      return [[column, isGrade ? names.map((name) => (isRelevant(name) ? 1 : 0)) : names]]
    }),
  )
}

export function className(value: unknown, names: readonly (string | number)[]): string | number | null {
  return names[Number(value ?? -1)] ?? null
}

interface TableSchema {
  readonly name: string
  /** Raised whenever the columns or their meaning change. */
  readonly version: number
}

export function writeOwnTable(
  path: string,
  { name, version }: TableSchema,
  columns: readonly ParquetColumn[],
): void {
  writeTable(path, columns, { 'touchstone.table': name, version: String(version) })
}

/** Throws a UserError if it is another table or version. */
export async function readOwnTable(
  path: string,
  { name, version }: TableSchema,
  only?: readonly string[],
): Promise<TableBuilder> {
  const table = await readTable(path, only)
  const foundName = table.metadata.get('touchstone.table')
  const foundVersion = table.metadata.get('version')
  if (foundName !== name)
    throw new UserError(
      `is not a "${name}" table of Touchstone (it is ${foundName ? `"${foundName}"` : 'of unknown origin'})`,
      path,
    )
  if (foundVersion !== String(version))
    throw new UserError(
      `is a "${name}" table of version ${foundVersion ?? 'unknown'}, this Touchstone reads version ${version}; prepare it again`,
      path,
    )
  return table
}
