import { basename, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { className, classNames } from '../tables/class-names.ts'
import { readForeignTable } from '../tables/foreign.ts'
import type { TableBuilder } from '../tables/table.ts'
import { keptQuotes, parseCsv, parseTsv } from '../text/csv.ts'
import type { Json } from '../types.ts'
import { eachJsonRecord, type Fields, type TakeFields } from './json-records.ts'
import { eachFileLine, wholeText } from './lines.ts'
import type { DatasetSink } from './sink.ts'

/** Reads the records of one file and hands them to `take`. Resolves to the number of records, or of lines that are none. */
export type RecordReader = (
  folder: string,
  file: string,
  sink: DatasetSink,
  take: TakeFields,
) => Promise<number>

/** Files that hold records, by their names. */
export const TABLE = /\.(?:parquet|arrow|jsonl?|ndjson|csv|tsv)(?:\.gz)?$/

/**
 * Calls `take` for every record of a JSON, JSONL, CSV, TSV, XLSX, Parquet or Arrow file. `file` is below the folder, or absolute.
 * The first of several shards names all of them. What cannot be read is an error with its place.
 */
export const eachRecord: RecordReader = async (folder, file, sink, take) => {
  const shards = shardsOf(file)
  let records = 0
  for (const shard of shards.length > 1 ? shards : [file])
    records += await readFile(folder, shard, sink, take)
  return records
}

/** Names of all shards if the file is the first of several: `x-00000-of-00002.parquet`. */
function shardsOf(file: string): string[] {
  const [, before, count, after] = /^(.*-)00000-of-(\d{5})(\..*|-[\da-f]+\..*)$/.exec(file) ?? []
  return Array.from(
    { length: Number(count ?? 0) },
    (_, index) => `${before}${String(index).padStart(5, '0')}-of-${count}${after}`,
  )
}

const readFile: RecordReader = async (folder, file, sink, take) => {
  const path = resolve(folder, file)
  try {
    if (/\.parquet$/.test(file)) return tableRecords(file, await readForeignTable(path), take)
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
    if (!(error instanceof UserError)) throw error
    for (const { message } of error.diagnostics) sink.diagnostic({ file, message })
    return 1
  }
}

function tableRecords(file: string, table: TableBuilder, take: TakeFields): number {
  const columns = table.columns.map((name) => [name, table.values(name)] as const)
  for (let row = 0; row < table.rows; row++)
    take(Object.fromEntries(columns.map(([name, values]) => [name, asJson(values[row])])), {
      file: `${file}, row ${row + 1}`,
    })
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
    throw new UserError({ file, message: `is not a readable Arrow file: ${(error as Error).message}` })
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
  const kept = isTabbed ? keptQuotes(rows) : ''
  if (kept !== '') sink.notice(`${basename(file)}: ${kept}`)
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

/** Lines that decide on the columns of a table without a header. */
const SAMPLE = 1000

/** Names of the columns of a table between tabs, from its first lines; a text says why they cannot be known. */
export type Layout = (
  lines: readonly (readonly string[])[],
  tell: (words: string) => void,
) => readonly string[] | string

/**
 * Reader of tables between tabs with a header or none: the first line is a header if `isHeader`, else `layout` names the
 * columns. Streams. Files of other kinds are read as `eachRecord` does.
 */
export function tabbed(isHeader: (fields: readonly string[]) => boolean, layout: Layout): RecordReader {
  return async (folder, file, sink, take) => {
    if (!/\.(tsv|txt)(\.gz)?$/.test(file)) return eachRecord(folder, file, sink, take)
    const waiting: { fields: string[]; line: number }[] = []
    let names: readonly string[] | undefined
    let refused = false
    let headers = 0
    const give = ({ fields, line }: { fields: readonly string[]; line: number }) => {
      if (!names) return
      if (fields.length === names.length)
        take(Object.fromEntries(names.map((name, at) => [name, fields[at]])), { file, line })
      else
        sink.diagnostic({
          file,
          line,
          message: `has ${fields.length} columns between tabs, not ${names.length} (${names.join(', ')})`,
        })
    }
    const decide = () => {
      const [first] = waiting
      const isNamed = isHeader(first.fields)
      headers = isNamed ? 1 : 0
      // The order of two columns says enough, whatever their names.
      const found =
        isNamed && first.fields.length > 2
          ? first.fields.map((name) => name.trim())
          : layout(
              waiting.map(({ fields }) => fields),
              (words) => sink.notice(`${file}: ${words}`),
            )
      if (isNamed) waiting.shift()
      if (typeof found === 'string') sink.diagnostic({ file, line: first.line, message: found })
      if (typeof found === 'string') refused = true
      else names = found
      waiting.splice(0).forEach(give)
    }
    const lines = await eachFileLine(folder, file, sink, (text, line) => {
      const row = { fields: text.split('\t'), line }
      if (names || refused) return give(row)
      waiting.push(row)
      if (waiting.length === SAMPLE) decide()
    })
    if (waiting.length > 0) decide()
    return lines - headers
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

export type { Fields }
