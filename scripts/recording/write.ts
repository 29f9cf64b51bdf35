import { textHash, type VectorSource } from '../../src/models/vector-cache.ts'
import { writeTable } from '../../src/tables/parquet.ts'

interface RecordingInput extends VectorSource {
  readonly modelSha256: string
  readonly date: string
  readonly dtype: 'int8' | 'float32'
  /** Unique. */
  readonly texts: readonly string[]
  /** Row after row, L2-normalised or zero. */
  readonly vectors: Float32Array
}

/** Writes a recording, its rows sorted by hash: the same texts give the same bytes in any order. */
export function writeRecording(path: string, input: RecordingInput): void {
  const { texts, vectors, dims, dtype, model, modelSha256, date } = input
  const hashes = texts.map(textHash)
  if (new Set(hashes).size !== hashes.length) throw new Error('a recording holds each text once')
  const order = hashes.map((_, index) => index).sort((a, b) => (hashes[a] < hashes[b] ? -1 : 1))
  const rows = order.map((index) => vectors.subarray(index * dims, (index + 1) * dims))
  writeTable(
    path,
    [
      { name: 'hash', type: 'bytes', values: order.map((index) => Buffer.from(hashes[index], 'hex')) },
      { name: 'vector', type: 'bytes', values: rows.map(dtype === 'int8' ? toInt8 : toBytes) },
    ],
    { model, modelSha256, date, dim: String(dims), dtype, normalized: 'true' },
  )
}

function toInt8(vector: Float32Array): Uint8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const rounded = Int8Array.from(vector, (value) => (largest === 0 ? 0 : Math.round((value / largest) * 127)))
  return new Uint8Array(rounded.buffer)
}

function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.slice().buffer)
}
