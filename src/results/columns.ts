import { readFileSync } from 'node:fs'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { snappyUncompressor } from 'hysnappy'
import { UserError } from '../errors.ts'
import { createWordCodes } from '../maps.ts'

const compressors = { SNAPPY: snappyUncompressor() }

/** Texts by code: row -> `words[codes[row]]`; null is -1. */
export interface Words {
  readonly codes: Int32Array
  readonly words: readonly string[]
}

/** `number`: null is NaN; `flags`: 0 and 1; `words`: few different texts; `texts`: null is ''. */
export type Kind = 'integer' | 'number' | 'flags' | 'words' | 'texts'
const TEXT: ReadonlySet<Kind> = new Set(['words', 'texts'])
interface KindOf {
  readonly integer: Int32Array
  readonly number: Float64Array
  readonly flags: Uint8Array
  readonly words: Words
  readonly texts: readonly string[]
}
export type ColumnsOf<S extends Readonly<Record<string, Kind>>> = { readonly [K in keyof S]: KindOf[S[K]] }

/**
 * Reads Parquet columns straight into typed arrays, so that millions of scores are never boxed. Throws a UserError if
 * the file or a column is missing or of another kind.
 */
export async function readColumns<const S extends Readonly<Record<string, Kind>>>(
  path: string,
  kinds: S,
): Promise<ColumnsOf<S> & { readonly rows: number }> {
  const bytes = open(path)
  try {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
    const metadata = parquetMetadata(file)
    const rows = Number(metadata.num_rows)
    const present = new Set(metadata.schema.map(({ name }) => name))
    const missing = Object.keys(kinds).filter((name) => !present.has(name))
    if (missing.length > 0) throw new Error(`it lacks the columns ${missing.join(', ')}`)
    const texts = new Set(metadata.schema.filter(({ type }) => type === 'BYTE_ARRAY').map(({ name }) => name))
    const other = Object.keys(kinds).filter((name) => TEXT.has(kinds[name]) !== texts.has(name))
    if (other.length > 0) throw new Error(`the columns ${other.join(', ')} are of another kind`)
    const sinks = new Map(Object.entries(kinds).map(([name, kind]) => [name, sinkOf(kind, rows)]))
    // A column at a time, since texts are decoded by the column's kind.
    if (rows > 0)
      for (const [name, { put, decode }] of sinks) {
        // The library swallows errors thrown in `onChunk`.
        const chunks: { data: ArrayLike<unknown>; start: number }[] = []
        await parquetRead({
          file,
          metadata,
          columns: [name],
          compressors,
          parsers: { stringFromBytes: (bytes) => bytes && decode(bytes) },
          onChunk: ({ columnData, rowStart }) => {
            chunks.push({ data: columnData, start: rowStart })
          },
        })
        for (const { data, start } of chunks) put(data, start)
      }
    const columns = Object.fromEntries([...sinks].map(([name, sink]) => [name, sink.values]))
    return { ...(columns as ColumnsOf<S>), rows }
  } catch (error) {
    throw new UserError(
      `is not a readable results table: ${error instanceof Error ? error.message : error}`,
      path,
    )
  }
}

function open(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new UserError('cannot be read; run the experiment again', path)
  }
}

interface Sink {
  readonly values: KindOf[Kind]
  /** Text as `put` receives it. */
  decode(text: Uint8Array): unknown
  put(data: ArrayLike<unknown>, start: number): void
}

function sinkOf(kind: Kind, rows: number): Sink {
  if (kind === 'texts') {
    const values = new Array<string>(rows)
    return { values, decode: textOf, put: filling(values, '') }
  }
  if (kind === 'words') {
    // A dictionary's text is decoded once per row group.
    const codes = new Int32Array(rows)
    const { words, codeOf } = createWordCodes()
    return { values: { codes, words }, decode: (text) => codeOf(textOf(text)), put: filling(codes, -1) }
  }
  const Typed = { integer: Int32Array, number: Float64Array, flags: Uint8Array }[kind]
  return numbers(new Typed(rows))
}

function filling<T>(values: { [row: number]: T }, absent: T): Sink['put'] {
  return (data, start) => {
    for (let i = 0; i < data.length; i++) values[start + i] = (data[i] as T | null | undefined) ?? absent
  }
}

function numbers(values: Int32Array | Float64Array | Uint8Array): Sink {
  return {
    values,
    decode: textOf,
    put: (data, start) => {
      for (let i = 0; i < data.length; i++) {
        const value = data[i]
        if (value === null || value === undefined) values[start + i] = Number.NaN
        else if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
          values[start + i] = Number(value)
        else throw new Error(`row ${start + i + 1} does not hold a number`)
      }
    },
  }
}

/** The library's own decoder drops a leading byte order mark. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
}

/** Scores by measure: trial x query, row-major; NaN if a query is not judged. */
export async function readScores(
  path: string,
  measures: readonly string[],
  trials: number,
  queries: number,
): Promise<Map<string, Float64Array>> {
  const kinds = {
    trial: 'integer',
    query: 'integer',
    ...Object.fromEntries(measures.map((name) => [name, 'number'])),
  }
  const { rows, ...columns } = await readColumns(path, kinds as Record<string, 'integer' | 'number'>)
  const { trial, query } = columns as Record<string, Int32Array>
  matrixWithin(path, 'trial', trial, trials)
  matrixWithin(path, 'query', query, queries)
  const matrixOf = (name: string) => {
    const [matrix, values] = [new Float64Array(trials * queries).fill(Number.NaN), columns[name]]
    for (let row = 0; row < rows; row++) matrix[trial[row] * queries + query[row]] = values[row]
    return matrix
  }
  return new Map(measures.map((name) => [name, matrixOf(name)]))
}

/** Reads ranks and stages: trial x label, row-major. */
export async function readGold(
  path: string,
  trials: number,
  labels: number,
): Promise<{ rank: Int32Array; stage: Words }> {
  const { rows, rank, stage } = await readColumns(path, { rank: 'integer', stage: 'words' })
  if (rows !== trials * labels)
    throw new UserError(`has ${rows} rows, but ${trials} trials have ${labels} labels each`, path)
  return { rank, stage }
}

/** Throws a UserError for a value outside `lowest` to `count`. */
export function matrixWithin(
  path: string,
  column: string,
  positions: Int32Array,
  count: number,
  lowest = 0,
): void {
  for (let row = 0; row < positions.length; row++)
    if (positions[row] < lowest || positions[row] >= count)
      throw new UserError(
        `column "${column}", row ${row + 1}: ${positions[row]} is not an index below ${count}`,
        path,
      )
}
