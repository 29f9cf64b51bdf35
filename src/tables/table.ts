import { UserError } from '../errors.ts'

/** Columns of a table by type. Each accessor throws a UserError if the column is missing or of another type. */
export interface TableBuilder {
  readonly path: string
  readonly rows: number
  readonly columns: readonly string[]
  readonly metadata: ReadonlyMap<string, string>
  has(column: string): boolean
  /** Values as the file holds them, binary as text. */
  values(column: string): unknown[]
  /** Text; a null is ''. */
  strings(column: string): string[]
  /** Integers and doubles alike; a null is NaN. */
  numbers(column: string): number[]
  booleans(column: string): boolean[]
  bytes(column: string): Uint8Array[]
  /** Lists of strings; a null is []. */
  lists(column: string): string[][]
  /** Fixed-length binary of little-endian float32, row after row. */
  vectors(column: string): Float32Array
  /** Lists of records; a null is []. */
  records(column: string): Record<string, unknown>[][]
}

export function createTable(
  path: string,
  rows: number,
  columns: ReadonlyMap<string, ArrayLike<unknown>>,
  metadata: ReadonlyMap<string, string>,
  all: readonly string[] = [...columns.keys()],
): TableBuilder {
  const columnNames = () => all.join(', ')
  function read<T>(column: string, kind: string, convert: (value: unknown) => T | undefined): T[] {
    const data = columns.get(column)
    if (!data) throw new UserError(`has no column "${column}" (its columns: ${columnNames()})`, path)
    const out = new Array<T>(rows)
    for (let row = 0; row < rows; row++) {
      const value = convert(data[row])
      if (value === undefined) throw new UserError(`column "${column}", row ${row + 1}: not ${kind}`, path)
      out[row] = value
    }
    return out
  }
  const absent = (value: unknown) => value === null || value === undefined
  const number = (value: unknown) =>
    absent(value)
      ? Number.NaN
      : typeof value === 'bigint'
        ? Number(value)
        : typeof value === 'number'
          ? value
          : undefined
  const string = (value: unknown) => {
    if (typeof value === 'string') return value
    if (value instanceof Uint8Array)
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8')
    return absent(value) ? '' : undefined
  }
  const listOf =
    <T>(convert: (value: unknown) => T | undefined) =>
    (value: unknown): T[] | undefined => {
      if (absent(value)) return []
      if (!Array.isArray(value)) return undefined
      const items = value.map(convert)
      return items.includes(undefined) ? undefined : (items as T[])
    }
  const record = (value: unknown) =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined

  return {
    path,
    rows,
    columns: [...columns.keys()],
    metadata,
    has: (column) => columns.has(column),
    values: (column) =>
      read(column, 'a value', (value) => (value instanceof Uint8Array ? string(value) : (value ?? null))),
    strings: (column) => read(column, 'a text', string),
    numbers: (column) => read(column, 'a number', number),
    booleans: (column) =>
      read(column, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined)),
    bytes: (column) => read(column, 'binary', (value) => (value instanceof Uint8Array ? value : undefined)),
    lists: (column) => read(column, 'a list of strings', listOf(string)),
    records: (column) => read(column, 'a list of records', listOf(record)),
    vectors: (column) =>
      joinVectors(read(column, 'binary', (value) => (value instanceof Uint8Array ? value : undefined))),
  }
}

function joinVectors(rows: readonly Uint8Array[]): Float32Array {
  const length = rows[0]?.length ?? 0
  const bytes = new Uint8Array(rows.length * length)
  rows.forEach((row, index) => {
    bytes.set(row, index * length)
  })
  return new Float32Array(bytes.buffer)
}
