import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { className, classNames } from '../tables/class-names.ts'
import { readForeignTable } from '../tables/foreign.ts'
import { assignColumns, type ColumnChoice, type ColumnRole, type KnownIds } from '../tables/roles.ts'
import type { TableBuilder } from '../tables/table.ts'
import { keptQuotes, parseCsv, parseTsv } from '../text/csv.ts'
import { idError } from '../text/ids.ts'
import { isMap, jsonLocation, parseJson } from '../text/json.ts'
import { wellFormed } from '../text/well-formed.ts'
import type { Json } from '../types.ts'
import { eachQuestion, wholeText } from './questions-file.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

/** One record of a file of any form, its values as JSON has them. */
export interface Row {
  readonly fields: Readonly<Record<string, Json>>
  readonly location: DataLocation
}

/**
 * Records of a JSON, JSONL, CSV, TSV, Parquet or Arrow file. The first of several shards names all of them. What
 * cannot be read is an error with its place.
 */
export async function readRows(folder: string, file: string, sink: DatasetSink): Promise<Row[]> {
  const shards = shardsOf(file)
  if (shards.length < 2) return readFile(folder, file, sink)
  const rows: Row[] = []
  for (const shard of shards) for (const row of await readFile(folder, shard, sink)) rows.push(row)
  return rows
}

/** Names of all shards if the file is the first of several: `x-00000-of-00002.parquet`. */
function shardsOf(file: string): string[] {
  const [, before, count, after] = /^(.*-)00000-of-(\d{5})(\..*|-[\da-f]+\..*)$/.exec(file) ?? []
  return Array.from(
    { length: Number(count ?? 0) },
    (_, index) => `${before}${String(index).padStart(5, '0')}-of-${count}${after}`,
  )
}

async function readFile(folder: string, file: string, sink: DatasetSink): Promise<Row[]> {
  const path = join(folder, file)
  const rows: Row[] = []
  try {
    if (/\.parquet$/.test(file)) return tableRows(file, await readForeignTable(path))
    if (/\.arrow$/.test(file)) return await arrowRows(path, file)
    if (/\.(csv|tsv)(\.gz)?$/.test(file)) return csvRows(path, file, sink)
    await eachQuestion(path, sink, (fields, location) =>
      rows.push({
        fields: fields as Row['fields'],
        location: { ...location, file: location.file.replace(basename(file), file) },
      }),
    )
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const { message } of error.diagnostics) sink.diagnostic({ file, message })
  }
  return rows
}

/** Calls `take` for every record of a file; streams JSONL. */
export async function eachRecord(
  path: string,
  sink: DatasetSink,
  take: (fields: Readonly<Record<string, unknown>>, location: DataLocation) => void,
): Promise<void> {
  const { folder, file } = placeOf(path)
  if (/\.(parquet|arrow|(csv|tsv)(\.gz)?)$/.test(file))
    for (const { fields, location } of await readRows(folder, file, sink)) take(fields, location)
  else await eachQuestion(path, sink, take)
}

/** The value of a JSON file; undefined after an error. */
function readJsonFile(path: string, file: string, sink: DatasetSink): unknown {
  const text = wholeText(path, file, sink)
  if (text === undefined) return undefined
  const parsed = parseJson(text)
  if (!parsed.diagnostic) return parsed.value
  const { message, offset } = parsed.diagnostic
  sink.diagnostic({ file, ...(offset === undefined ? {} : jsonLocation(text, offset)), message })
  return undefined
}

/** An object in a JSON file; undefined after an error that names the other value. */
export function readJsonObject(
  path: string,
  sink: DatasetSink,
): Readonly<Record<string, unknown>> | undefined {
  const file = basename(path)
  const value = readJsonFile(path, file, sink)
  if (value !== undefined && !isMap(value)) sink.diagnostic({ file, message: 'is not a JSON object' })
  return isMap(value) ? value : undefined
}

function tableRows(file: string, table: TableBuilder): Row[] {
  const columns = table.columns.map((name) => [name, table.values(name)] as const)
  return Array.from({ length: table.rows }, (_, row) => ({
    fields: Object.fromEntries(columns.map(([name, values]) => [name, asJson(values[row])])),
    location: { file: `${file}, row ${row + 1}` },
  }))
}

async function arrowRows(path: string, file: string): Promise<Row[]> {
  const { tableFromIPC } = await import('@uwdata/flechette')
  const { readBytes } = await import('../store/input.ts')
  try {
    const bytes = readBytes(path)
    const table = tableFromIPC(new Uint8Array(bytes), { useBigInt: true })
    const classes = classNames(table.schema.metadata?.get('huggingface'))
    return table.toArray().map((record: unknown, index: number) => {
      const fields = asJson(record) as Record<string, Json>
      for (const [name, names] of classes) if (name in fields) fields[name] = className(fields[name], names)
      return { fields, location: { file: `${file}, row ${index + 1}` } }
    })
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError({ file, message: `is not a readable Arrow file: ${(error as Error).message}` })
  }
}

function csvRows(path: string, file: string, sink: DatasetSink): Row[] {
  const text = wholeText(path, file, sink) ?? ''
  const isTabbed = /\.tsv(\.gz)?$/.test(file)
  const [header, ...rest] = isTabbed ? parseTsv(text) : parseCsv(text)
  if (!header) return []
  const kept = isTabbed ? keptQuotes(rest) : ''
  if (kept !== '') sink.notice(`${file}: ${kept}`)
  const names = header.fields.map((name) => name.trim())
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) {
    sink.diagnostic({ file, line: header.line, message: `has the column \`${twice}\` twice; rename one` })
    return []
  }
  return rest.flatMap(({ fields, line, diagnostic }) => {
    const location = { file, line }
    const message =
      diagnostic ??
      (fields.length === header.fields.length
        ? undefined
        : `has ${fields.length} fields, and the header has ${header.fields.length}`)
    if (message === undefined)
      return [{ fields: Object.fromEntries(names.map((name, at) => [name, fields[at]])), location }]
    sink.diagnostic({ ...location, message })
    return []
  })
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

/** Rows whose values count when the roles of columns are decided. */
const SAMPLE = 1000

interface PickOptions {
  /** Name of the files in messages. */
  readonly file: string
  readonly columns?: ColumnChoice
  /** Ids that decide between columns. */
  readonly known?: KnownIds
}

/**
 * Reader of each role's value, by ranked names of columns and by content, and the words that name the chosen column.
 * Undefined after an error.
 */
export function pickColumns<R extends string>(
  rows: readonly Row[],
  roles: Readonly<Record<R, ColumnRole>>,
  { file, columns = {}, known }: PickOptions,
  sink: DatasetSink,
):
  | {
      readonly of: (row: Row, role: R) => Json
      readonly read: string
      /** Columns that play a role. */
      readonly taken: readonly string[]
    }
  | undefined {
  const sample = rows.slice(0, SAMPLE)
  const header = [...new Set(sample.flatMap(({ fields }) => Object.keys(fields)))]
  const names = Object.keys(roles) as R[]
  const own = Object.fromEntries(Object.entries(columns).filter(([role]) => names.includes(role as R)))
  const assigned = assignColumns(
    header,
    names.map((name) => ({ ...roles[name], name })),
    (column) => sample.map(({ fields }) => fields[header[column]]),
    { columns: own, known, say: (choice) => `\`columns: ${JSON.stringify(choice)}\` of the dataset` },
    (message) => sink.diagnostic({ file, message }),
  )
  if (!assigned) return undefined
  const column = new Map(names.map((name, index) => [name, header[assigned.indexes[index]]]))
  const taken = [...column].filter(([, name]) => name !== undefined)
  return {
    of: ({ fields }, role) => {
      const name = column.get(role)
      return name === undefined || !Object.hasOwn(fields, name) ? null : fields[name]
    },
    taken: taken.map(([, name]) => name),
    read: taken.map(([role, name]) => `${role}=${name}`).join(', '),
  }
}

/** Folder and name of a file, for readers that report paths below a folder. */
export function placeOf(path: string): { readonly folder: string; readonly file: string } {
  return { folder: dirname(path), file: basename(path) }
}

/** An id of any format; undefined after an error. */
export function idOf(
  value: Json,
  role: string,
  location: DataLocation,
  sink: DatasetSink,
): string | undefined {
  const wrong = idError(value)
  if (wrong !== undefined) sink.diagnostic({ ...location, message: `the ${role} id ${wrong}` })
  return wrong === undefined ? wellFormed(String(value)) : undefined
}
