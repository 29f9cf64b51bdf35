import { basename, resolve } from 'node:path'
import { diagnosticsOf, UserError } from '../errors.ts'
import { readForeignTable } from '../tables/foreign.ts'
import { className, classNames } from '../tables/parquet.ts'
import { keptQuotes, parseCsv, parseTsv } from '../text/csv.ts'
import type { Json } from '../types.ts'
import { eachFileLine, eachJsonRecord, type TakeFields, wholeText } from './lines.ts'
import type { DatasetSink } from './sink.ts'

/** Reads the records of one file and hands them to `take`. Resolves to the number of records, or of lines that are none. */
export type RecordReader = (
  folder: string,
  file: string,
  sink: DatasetSink,
  take: TakeFields,
) => Promise<number>

export const TABLE = /\.(?:parquet|arrow|jsonl?|ndjson|csv|tsv)(?:\.gz)?$/

/**
 * Calls `take` for every record of a JSON, JSONL, CSV, TSV, XLSX, Parquet or Arrow file. `file` is below the folder, or absolute; the
 * first of several shards names all of them.
 */
export const eachRecord: RecordReader = async (folder, file, sink, take) => {
  let records = 0
  for (const shard of shardsOf(file)) records += await readFile(folder, shard, sink, take)
  return records
}

/** Names of all shards if the file is the first of several: `x-00000-of-00002.parquet`. */
function shardsOf(file: string): string[] {
  const [, before, count, after] = /^(.*-)00000-of-(\d{5})(\..*|-[\da-f]+\..*)$/.exec(file) ?? []
  if (before === undefined || Number(count) === 0) return [file]
  return Array.from(
    { length: Number(count) },
    (_, index) => `${before}${String(index).padStart(5, '0')}-of-${count}${after}`,
  )
}

const readFile: RecordReader = async (folder, file, sink, take) => {
  const path = resolve(folder, file)
  try {
    if (/\.parquet$/.test(file)) return await parquetRecords(path, file, take)
    if (/\.arrow$/.test(file)) return await arrowRecords(path, file, take)
    if (/\.xlsx$/i.test(file)) {
      const { spreadsheetRecords } = await import('./folder/readers/xlsx.ts')
      const records = await spreadsheetRecords(path)
      for (const { fields, line } of records) take(fields, { file, line })
      return records.length
    }
    if (/\.(csv|tsv)(\.gz)?$/i.test(file)) return csvRecords(path, file, sink, take)
    return await eachJsonRecord(folder, file, sink, take)
  } catch (error) {
    for (const { message } of diagnosticsOf(error)) sink.diagnostic({ file, message })
    return 1
  }
}

async function parquetRecords(path: string, file: string, take: TakeFields): Promise<number> {
  const table = await readForeignTable(path)
  const columns = table.columns.map((name) => [name, table.values(name)] as const)
  for (let row = 0; row < table.rows; row++) {
    const fields = columns.map(([name, values]) => [name, asJson(values[row])])
    take(Object.fromEntries(fields), { file: `${file}, row ${row + 1}` })
  }
  return table.rows
}

async function arrowRecords(path: string, file: string, take: TakeFields): Promise<number> {
  const { tableFromIPC } = await import('@uwdata/flechette')
  const { readBytes } = await import('../store/input.ts')
  const bytes = readBytes(path)
  let rows: unknown[]
  let classes: ReturnType<typeof classNames>
  try {
    const table = tableFromIPC(new Uint8Array(bytes), { useBigInt: true })
    classes = classNames(table.schema.metadata?.get('huggingface'))
    rows = table.toArray()
  } catch (error) {
    throw new UserError(`is not a readable Arrow file: ${(error as Error).message}`, file)
  }
  for (const [index, record] of rows.entries()) {
    const fields = asJson(record) as Record<string, Json>
    for (const [name, names] of classes) if (name in fields) fields[name] = className(fields[name], names)
    take(fields, { file: `${file}, row ${index + 1}` })
  }
  return rows.length
}

function csvRecords(path: string, file: string, sink: DatasetSink, take: TakeFields): number {
  const text = wholeText(path, file, sink)
  if (text === undefined) return 1
  const isTabbed = /\.tsv(\.gz)?$/i.test(file)
  const [header, ...rows] = isTabbed ? parseTsv(text) : parseCsv(text)
  if (!header) return 0
  const quoting = isTabbed ? keptQuotes(rows) : ''
  if (quoting !== '') sink.notice(`${basename(file)}: ${quoting}`)
  const names = header.fields.map((name) => name.trim())
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) {
    sink.diagnostic({ file, line: header.line, message: `has the column \`${twice}\` twice; rename one` })
    return rows.length
  }
  for (const { fields, line, diagnostic } of rows) {
    // A spreadsheet may end rows with empty cells.
    const isWhole =
      fields.length >= names.length && fields.slice(names.length).every((field) => field.trim() === '')
    const message =
      diagnostic ?? (isWhole ? undefined : `has ${fields.length} fields, and the header has ${names.length}`)
    if (message !== undefined) sink.diagnostic({ file, line, message })
    else take(Object.fromEntries(names.map((name, at) => [name, fields[at]])), { file, line })
  }
  return rows.length
}

/** Records that decide how a file is read, as which column has which role. */
export const SAMPLE = 1000

/** Hands items on as the first `size` of them, or all, decide: `decide` returns the function that takes items. */
export function afterSample<T>(size: number, decide: (sample: readonly T[]) => (item: T) => void) {
  const waiting: T[] = []
  let take: ((item: T) => void) | undefined
  const end = () => {
    if (waiting.length === 0) return
    take = decide(waiting)
    waiting.splice(0).forEach(take)
  }
  const add = (item: T) => {
    if (take) return take(item)
    waiting.push(item)
    if (waiting.length === size) end()
  }
  return { add, end }
}

/** Names of the columns of a table between tabs, from its first lines; a text says why they cannot be known. */
export type Layout = (
  lines: readonly (readonly string[])[],
  tell: (words: string) => void,
) => readonly string[] | string

/**
 * Reader of tables between tabs: the first line is a header if `isHeader`, else `layout` names the columns. Streams. Other files are
 * read as by `eachRecord`.
 */
export function tabbed(isHeader: (fields: readonly string[]) => boolean, layout: Layout): RecordReader {
  return async (folder, file, sink, take) => {
    if (!/\.(tsv|txt)(\.gz)?$/.test(file)) return eachRecord(folder, file, sink, take)
    let header: number | undefined
    const { add, end } = afterSample<{ fields: string[]; line: number }>(SAMPLE, (sample) => {
      const [first] = sample
      if (isHeader(first.fields)) header = first.line
      const tell = (words: string) => sink.notice(`${file}: ${words}`)
      // The order of two columns says enough, whatever their names.
      const names =
        header !== undefined && first.fields.length > 2
          ? first.fields.map((name) => name.trim())
          : layout(
              sample.map(({ fields }) => fields),
              tell,
            )
      if (typeof names === 'string') {
        sink.diagnostic({ file, line: first.line, message: names })
        return () => {}
      }
      return ({ fields, line }) => {
        if (line === header) return
        if (fields.length === names.length)
          return take(Object.fromEntries(names.map((name, at) => [name, fields[at]])), { file, line })
        const message = `has ${fields.length} columns between tabs, not ${names.length} (${names.join(', ')})`
        sink.diagnostic({ file, line, message })
      }
    })
    const lines = await eachFileLine(folder, file, sink, (text, line) =>
      add({ fields: text.split('\t'), line }),
    )
    end()
    return lines - (header === undefined ? 0 : 1)
  }
}

/** Values of Parquet and Arrow as JSON has them: large whole numbers as text, dates as ISO text. */
function asJson(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (Array.isArray(value)) return value.map(asJson)
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, asJson)
  if (typeof value === 'object') {
    const object = value as Record<string, unknown> & { toJSON?: () => unknown }
    const plain = typeof object.toJSON === 'function' ? (object.toJSON() as Record<string, unknown>) : object
    return Object.fromEntries(Object.entries(plain).map(([key, inner]) => [key, asJson(inner)]))
  }
  return typeof value === 'number' && !Number.isFinite(value) ? null : (value as Json)
}
