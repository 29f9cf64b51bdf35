import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { hashFile } from '../../store/input.ts'
import { readForeignTable } from '../../tables/foreign.ts'
import { quoted } from '../embedder.ts'
import { textHash, type VectorSource } from '../vector-cache.ts'
import { defineBuiltInEmbedder } from './index.ts'

const params = z.strictObject({
  path: z.string().min(1).meta({ path: true }).describe('a Parquet file of recorded vectors'),
  sha256: z.string().optional().describe("the file's hash; filled in"),
})
type Params = z.output<typeof params>

const NAMED = 3

/** A text that the recording lacks is an error, never a guess. */
export default defineBuiltInEmbedder({
  name: 'recorded',
  summary: "a real embedder's vectors replayed from a file; fails if a text is missing",
  params,
  pin,
  make: (params) => ({
    batch: 65_536,
    artifact() {
      const pinned = params.sha256 === undefined ? pin(params) : params
      const { path, sha256 } = pinned
      return defineArtifact({
        name: 'recorded',
        version: 1,
        // The file's path changes no vector.
        params: { sha256: sha256 as string },
        inputs: {},
        async open() {
          pin(pinned)
          const recording = await readVectorRecording(path)
          const { model, dims } = recording.source
          return {
            model: `${model}, recorded ${recording.date}`,
            dims,
            async embed(texts) {
              const missing = texts.filter((text) => !recording.has(text))
              if (missing.length > 0) throw new UserError(describe(missing), path)
              const vectors = new Float32Array(texts.length * dims)
              texts.forEach((text, index) => {
                vectors.set(recording.vector(text), index * dims)
              })
              return vectors
            },
          }
        },
      })
    },
  }),
})

function pin(params: Params): Params {
  const hash = hashFile(params.path, 'recorded vectors')
  if (params.sha256 !== undefined && params.sha256 !== hash)
    throw new UserError('the recording has changed since this was made', params.path)
  return { ...params, sha256: hash }
}

function describe(missing: readonly string[]): string {
  const named = missing.slice(0, NAMED).map(quoted)
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
  return `holds no vector of ${named.join(', ')}${more}; record the vectors again, or use the embedder itself`
}

/**
 * Parquet file with a row per text: `hash`, and `vector` as float32 or int8 (scaled to length 1). Metadata:
 * `model`, `modelSha256`, `date`, `dim`, `dtype`, `normalized`.
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

/** Throws a UserError if the file is no recording. */
export async function readVectorRecording(path: string): Promise<VectorRecording> {
  const table = await readForeignTable(path)
  const read = (key: string) => table.metadata.get(key) ?? ''
  const dims = Number(read('dim'))
  const dtype = read('dtype')
  if (dtype !== 'int8' && dtype !== 'float32')
    throw new UserError(
      `is not a recording of vectors: \`dtype\` in its metadata must be int8 or float32, not ${JSON.stringify(dtype)}`,
      path,
    )
  const fromBytes = dtype === 'int8' ? fromInt8 : fromFloat32
  const rows = table.bytes('vector')
  const wanted = dtype === 'int8' ? dims : 4 * dims
  const hashes = table.bytes('hash').map((hash) => Buffer.from(hash).toString('hex'))
  const indexes = new Map(hashes.map((hash, row) => [hash, row]))
  if (indexes.size !== hashes.length)
    throw new UserError(
      `holds two vectors of one text: row ${hashes.findIndex((hash, row) => indexes.get(hash) !== row) + 1} has the hash of a later row`,
      path,
    )
  if (!(dims > 0) || rows.some(({ length }) => length !== wanted))
    throw new UserError('is not a recording of vectors: `dim` in its metadata does not fit its vectors', path)
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
        throw new UserError(
          `holds a vector that has neither length 1 nor only zeros, of the text ${quoted(text)}`,
          path,
        )
      return vector
    },
  }
}

/** Most by which a squared length in float32 may differ from 1. */
const SLACK = 1e-3

/** True for length 1, and for zeros: the text says nothing to the embedder. */
function isUnit(vector: Float32Array): boolean {
  const squared = vector.reduce((sum, value) => sum + value * value, 0)
  return squared === 0 || Math.abs(squared - 1) <= SLACK
}

function fromInt8(bytes: Uint8Array): Float32Array {
  const vector = new Float32Array(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? vector : vector.map((value) => value / length)
}

function fromFloat32(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
