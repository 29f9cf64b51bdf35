import { UserError } from '../errors.ts'
import { readForeignTable } from '../tables/foreign.ts'
import { textHash, type VectorSource } from './vector-cache.ts'
import { quoted } from './vector-problem.ts'

/**
 * Recorded vectors in a Parquet file: a row a text with `hash` and `vector`, float32 or int8 (scaled to length 1 when
 * read; the longest component is 127). Metadata: `model`, `modelSha256`, `date`, `dim`, `dtype`, `normalized`.
 */
interface VectorRecording {
  readonly source: VectorSource
  readonly modelSha256: string
  /** When the vectors were made, as 2026-11-22. */
  readonly date: string
  has(text: string): boolean
  /** Throws where `has` says no. */
  vector(text: string): Float32Array
}

/** Reads a recording. Throws a UserError where the file is not one. */
export async function readVectorRecording(path: string): Promise<VectorRecording> {
  const table = await readForeignTable(path)
  const read = (key: string) => table.metadata.get(key) ?? ''
  const dims = Number(read('dim'))
  const dtype = read('dtype')
  if (dtype !== 'int8' && dtype !== 'float32')
    throw new UserError({
      file: path,
      message: `is not a recording of vectors: \`dtype\` in its metadata must be int8 or float32, not ${JSON.stringify(dtype)}`,
    })
  const fromBytes = dtype === 'int8' ? fromInt8 : fromFloat32
  const rows = table.bytes('vector')
  const wanted = dtype === 'int8' ? dims : 4 * dims
  const hashes = table.bytes('hash').map((hash) => Buffer.from(hash).toString('hex'))
  const indexes = new Map(hashes.map((hash, row) => [hash, row]))
  if (indexes.size !== hashes.length)
    throw new UserError({
      file: path,
      message: `holds two vectors of one text: row ${hashes.findIndex((hash, row) => indexes.get(hash) !== row) + 1} has the hash of a later row`,
    })
  if (!(dims > 0) || rows.some(({ length }) => length !== wanted))
    throw new UserError({
      file: path,
      message: 'is not a recording of vectors: `dim` in its metadata does not fit its vectors',
    })
  return {
    source: { model: read('model'), dims },
    modelSha256: read('modelSha256'),
    date: read('date'),
    has: (text) => indexes.has(textHash(text)),
    vector(text) {
      const row = indexes.get(textHash(text))
      if (row === undefined) throw new Error('the recording does not hold this text')
      const vector = fromBytes(rows[row])
      if (!isUnit(vector))
        throw new UserError({
          file: path,
          message: `holds a vector that has neither length 1 nor only zeros, of the text ${quoted(text)}`,
        })
      return vector
    },
  }
}

/** Most by which the squared length of a vector in float32 may differ from 1. */
const SLACK = 1e-3

/** True for a vector of length 1, and for one of zeros: its text says nothing to the embedder. */
function isUnit(vector: Float32Array): boolean {
  const squared = vector.reduce((sum, value) => sum + value * value, 0)
  return squared === 0 || Math.abs(squared - 1) <= SLACK
}

function fromInt8(bytes: Uint8Array): Float32Array {
  const rounded = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const length = Math.sqrt(rounded.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(rounded, (value) => (length === 0 ? 0 : value / length))
}

function fromFloat32(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
