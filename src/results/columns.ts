import { readFileSync } from 'node:fs'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { UserError } from '../errors.ts'

/** Texts by code: row -> `words[codes[row]]`; a null is -1. */
export interface Words {
  readonly codes: Int32Array
  readonly words: readonly string[]
}

/** `integer`: whole numbers; `number`: doubles, a null is NaN; `flags`: 0 and 1; `words`: few different texts; `texts`: one text a row, a null is ''. */
export type Kind = 'integer' | 'number' | 'flags' | 'words' | 'texts'
export interface KindOf {
  readonly integer: Int32Array
  readonly number: Float64Array
  readonly flags: Uint8Array
  readonly words: Words
  readonly texts: readonly string[]
}
type ColumnsOf<S extends Readonly<Record<string, Kind>>> = { readonly [K in keyof S]: KindOf[S[K]] }

/**
 * Reads columns of a Parquet file straight into typed arrays, chunk by chunk: millions of scores never stand as boxed
 * values. Throws a UserError where the file or a column is missing or of another kind.
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
    const sinks = new Map(Object.entries(kinds).map(([name, kind]) => [name, sinkOf(kind, rows)]))
    if (rows > 0)
      await parquetRead({
        file,
        metadata,
        columns: [...sinks.keys()],
        compressors,
        parsers: {
          stringFromBytes: (text) =>
            text && Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'),
        },
        onChunk: ({ columnName, columnData, rowStart }) => sinks.get(columnName)?.put(columnData, rowStart),
      })
    const columns = Object.fromEntries([...sinks].map(([name, sink]) => [name, sink.values]))
    return { ...(columns as unknown as ColumnsOf<S>), rows }
  } catch (error) {
    throw new UserError({
      file: path,
      message: `is not a readable results table: ${error instanceof Error ? error.message : error}`,
    })
  }
}

function open(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new UserError({ file: path, message: 'cannot be read; run the experiment again' })
  }
}

interface Sink {
  readonly values: KindOf[Kind]
  put(data: ArrayLike<unknown>, start: number): void
}

function sinkOf(kind: Kind, rows: number): Sink {
  switch (kind) {
    case 'integer':
      return numbers(new Int32Array(rows))
    case 'number':
      return numbers(new Float64Array(rows))
    case 'flags':
      return numbers(new Uint8Array(rows))
    case 'words':
      return words(rows)
    case 'texts': {
      const values = new Array<string>(rows)
      return {
        values,
        put: (data, start) => {
          for (let i = 0; i < data.length; i++) values[start + i] = text(data[i]) ?? ''
        },
      }
    }
  }
}

function numbers(values: Int32Array | Float64Array | Uint8Array): Sink {
  return {
    values,
    put: (data, start) => {
      for (let i = 0; i < data.length; i++) {
        const value = data[i]
        if (value === null || value === undefined) values[start + i] = Number.NaN
        else if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
          values[start + i] = Number(value)
        else throw new Error(`row ${start + i + 1} holds no number`)
      }
    },
  }
}

function words(rows: number): Sink {
  const codes = new Int32Array(rows)
  const list: string[] = []
  const known = new Map<string, number>()
  return {
    values: { codes, words: list },
    put: (data, start) => {
      for (let i = 0; i < data.length; i++) {
        const word = text(data[i])
        if (word === null) {
          codes[start + i] = -1
          continue
        }
        let code = known.get(word)
        if (code === undefined) {
          code = list.push(word) - 1
          known.set(word, code)
        }
        codes[start + i] = code
      }
    },
  }
}

function text(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') throw new Error('a text column holds something else')
  return value
}
