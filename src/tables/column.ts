import type { SchemaElement } from 'hyparquet'
import type { ColumnSource } from 'hyparquet-writer'
import { createWordCodes } from '../maps.ts'

/** A column to write. `integer` is INT64 and `strings` a LIST, as in Microsoft GraphRAG's files. */
export type ParquetColumn = { readonly name: string } & (
  | { readonly type: 'string'; readonly values: readonly (string | null)[] }
  /** Texts by code: row -> `words[codes[row]]`. For columns that repeat few texts: each is encoded once. */
  | { readonly type: 'words'; readonly codes: Int32Array; readonly words: readonly string[] }
  /** `optional`: NaN is null. */
  | { readonly type: 'integer'; readonly values: ArrayLike<number>; readonly optional?: true }
  /** `distinct`: most values differ, so that to look for a dictionary would only take time. */
  | { readonly type: 'number'; readonly values: ArrayLike<number>; readonly distinct?: true }
  | { readonly type: 'int32'; readonly values: Int32Array | Uint32Array }
  | { readonly type: 'bytes'; readonly values: readonly Uint8Array[] }
  | { readonly type: 'boolean'; readonly values: readonly (boolean | null)[] }
  | { readonly type: 'strings'; readonly values: readonly (readonly string[])[] }
  | { readonly type: 'integers'; readonly values: readonly (readonly number[])[] }
  /** Row after row of `dims` float32 in one array, stored as little-endian binary of fixed length. */
  | { readonly type: 'vectors'; readonly values: Float32Array; readonly dims: number }
  | {
      readonly type: 'records'
      readonly fields: readonly string[]
      readonly values: readonly (readonly Readonly<Record<string, string>>[])[]
    }
)

export const text = (name: string, values: readonly (string | null)[]) =>
  ({ name, type: 'string', values }) as const
export const texts = (name: string, values: readonly (readonly string[])[]) =>
  ({ name, type: 'strings', values }) as const
export const whole = (name: string, values: ArrayLike<number>) => ({ name, type: 'integer', values }) as const
export const number = (name: string, values: ArrayLike<number>) => ({ name, type: 'number', values }) as const

export const int32 = (name: string, values: Int32Array): ParquetColumn => ({ name, type: 'int32', values })

type FieldType = 'int32' | 'number' | 'string' | 'words' | 'boolean'

export function columnsOf<R extends object>(
  rows: readonly R[],
  types: { readonly [K in keyof R & string]?: FieldType },
): ParquetColumn[] {
  return (Object.entries(types) as [keyof R & string, FieldType][]).map(([name, type]): ParquetColumn => {
    const values: readonly unknown[] = rows.map((row) => row[name])
    if (type === 'int32') return int32(name, Int32Array.from(values as readonly number[]))
    if (type === 'number') return number(name, Float64Array.from(values as readonly number[]))
    if (type === 'boolean') return { name, type, values: values as readonly boolean[] }
    if (type === 'string') return text(name, values as readonly (string | null)[])
    const wordCodes = createWordCodes()
    const codes = Int32Array.from(values as readonly string[], wordCodes.codeOf)
    return { name, type, codes, words: wordCodes.words }
  })
}

/** Number of each row, a column of all tables of GraphRAG. */
export const rowNumbers = (rows: readonly unknown[]): ParquetColumn =>
  whole('human_readable_id', [...rows.keys()])

const STRING = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const
const INTEGER = { type: 'INT64' } as const

function leaf(name: string, type: Partial<SchemaElement>, isOptional = false): SchemaElement {
  return { name, ...type, repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' }
}

export function schemaOf(column: ParquetColumn): SchemaElement[] {
  const { name } = column
  switch (column.type) {
    case 'string':
      return [leaf(name, STRING, true)]
    case 'words':
      return [leaf(name, STRING)]
    case 'integer':
      return [leaf(name, INTEGER, column.optional)]
    case 'int32':
      return [leaf(name, { type: 'INT32' })]
    case 'bytes':
      return [leaf(name, { type: 'BYTE_ARRAY' })]
    case 'number':
      return [leaf(name, { type: 'DOUBLE' })]
    case 'boolean':
      return [leaf(name, { type: 'BOOLEAN' }, column.values.includes(null))]
    case 'strings':
      return list(name, [leaf('element', STRING, true)])
    case 'integers':
      return list(name, [leaf('element', INTEGER, true)])
    case 'vectors':
      // A corpus without passages has no dims; Parquet wants a length above 0.
      return [leaf(name, { type: 'FIXED_LEN_BYTE_ARRAY', type_length: Math.max(4 * column.dims, 1) })]
    case 'records':
      return list(name, [
        leaf('element', { num_children: column.fields.length }, true),
        ...column.fields.map((field) => leaf(field, STRING, true)),
      ])
  }
}

function list(name: string, element: SchemaElement[]): SchemaElement[] {
  return [
    leaf(name, { num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } }, true),
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...element,
  ]
}

export function columnSource(column: ParquetColumn): ColumnSource {
  const { name } = column
  switch (column.type) {
    case 'words': {
      const encoder = new TextEncoder()
      const words = column.words.map((word) => encoder.encode(word))
      const data = new Array<Uint8Array>(column.codes.length)
      for (let row = 0; row < data.length; row++) data[row] = words[column.codes[row]]
      return { name, data }
    }
    case 'integer': {
      const { values, optional } = column
      return {
        name,
        data: optional
          ? Array.from(values, (value) => (Number.isNaN(value) ? null : BigInt(value)))
          : BigInt64Array.from({ length: values.length }, (_, row) => BigInt(values[row])),
      }
    }
    case 'int32':
      return { name, data: Int32Array.from(column.values) }
    case 'bytes':
      // Blobs are seldom equal; to look for a dictionary takes a third of the time.
      return { name, data: column.values as Uint8Array[], encoding: 'PLAIN' }
    case 'number':
      return { name, data: Float64Array.from(column.values), encoding: column.distinct && 'PLAIN' }
    case 'integers':
      return { name, data: column.values.map((row) => row.map(BigInt)) }
    case 'vectors':
      return { name, data: rowCount(column.values, column.dims), encoding: 'PLAIN', codec: 'UNCOMPRESSED' }
    default:
      return { name, data: column.values as unknown[] }
  }
}

/** Bytes of each row of `dims` float32: views. */
export function rowCount(values: Float32Array, dims: number): Uint8Array[] {
  if (dims === 0) return []
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  return Array.from({ length: values.length / dims }, (_, row) =>
    bytes.subarray(4 * dims * row, 4 * dims * (row + 1)),
  )
}
