import { UserError } from '../errors.ts'
import { readTable, writeTable } from './parquet.ts'
import { requireSchema, schemaMetadata } from './schema.ts'

const SCHEMA = { name: 'embeddings', version: 1 }

/** Vectors of texts: row after row of `dims` float32. */
export interface Embeddings {
  readonly ids: readonly string[]
  readonly vectors: Float32Array
  readonly dims: number
  /** The adapter and the model behind it. */
  readonly model: string
  readonly normalized: boolean
}

/** Writes `id` and `embedding` (fixed-length binary, little-endian float32); `dim`, `model`, `normalized` as metadata. */
export function writeEmbeddings(path: string, { ids, vectors, dims, model, normalized }: Embeddings): void {
  if (vectors.length !== ids.length * dims)
    throw new Error(`${ids.length} ids with ${vectors.length} numbers are not vectors of ${dims}`)
  const columns = [
    { name: 'id', type: 'string', values: ids },
    { name: 'embedding', type: 'vectors', values: vectors, dims },
  ] as const
  const about = { dim: String(dims), model, normalized: String(normalized) }
  writeTable(path, columns, { ...schemaMetadata(SCHEMA), ...about })
}

/** Reads what `writeEmbeddings` wrote. Throws a UserError where the vectors do not have the length that the file says. */
export async function readEmbeddings(path: string): Promise<Embeddings> {
  const table = await readTable(path)
  requireSchema(table, SCHEMA)
  const dims = Number(table.metadata.get('dim'))
  const ids = table.strings('id')
  const vectors = table.vectors('embedding')
  if (!Number.isInteger(dims) || vectors.length !== ids.length * dims)
    throw new UserError({
      file: path,
      message: `its vectors are not of the ${table.metadata.get('dim')} dims that it names`,
    })
  return {
    ids,
    vectors,
    dims,
    model: table.metadata.get('model') ?? '',
    normalized: table.metadata.get('normalized') === 'true',
  }
}
