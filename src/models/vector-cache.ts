import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UserError } from '../errors.ts'
import { sha256, sha256File } from '../store/hash.ts'
import { makeFolder, writeRenamed } from '../store/write.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import type { TableBuilder } from '../tables/table.ts'

/**
 * One embedder's vectors by the hash of their text: a folder of Parquet parts, named by the hash of their bytes and
 * renamed when complete.
 */
export interface VectorCache {
  /** Model that made the vectors; undefined while there are none. */
  source(): VectorSource | undefined
  has(hash: string): boolean
  /** The vector of a text; throws where `has` says no, and a UserError where its part was altered. */
  get(hash: string): Promise<Float32Array>
  /** Keeps the vectors (row after row) of texts that it has not yet, as one part file. */
  put(hashes: readonly string[], vectors: Float32Array, source: VectorSource): void
}

export interface VectorSource {
  readonly model: string
  readonly dims: number
}

export function textHash(text: string): string {
  return sha256(text).slice(0, 32)
}

const PART = /^[0-9a-f]{32}\.parquet$/

/** Opens the parts in `folder`, which need not exist. Throws a UserError where one was altered since it was written. */
export async function openVectorCache(folder: string): Promise<VectorCache> {
  const indexes = new Map<string, { part: string; row: number }>()
  const loaded = new Map<string, Promise<Float32Array>>()
  let source: VectorSource | undefined
  const parts = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => PART.test(file))
        .sort()
    : []
  for (const part of parts) {
    const path = join(folder, part)
    const fail = (message: string) => new UserError({ file: path, message })
    // Before anything is decoded: of a damaged file the decoder may come to no end.
    if (partName(path) !== part) throw fail('was altered since it was written; delete it and prepare again')
    const table = await readTable(path, ['hash'])
    const made = sourceOf(table)
    source ??= made
    if (made.dims !== source.dims || made.model !== source.model)
      throw fail(`holds vectors of another model than ${parts[0]}`)
    table.strings('hash').forEach((hash, row) => {
      indexes.set(hash, { part, row })
    })
  }

  function load(part: string): Promise<Float32Array> {
    const opened = loaded.get(part)
    if (opened) return opened
    const vectors = readTable(join(folder, part), ['vector']).then((table) => table.vectors('vector'))
    loaded.set(part, vectors)
    return vectors
  }

  return {
    source: () => source,
    has: (hash) => indexes.has(hash),
    async get(hash) {
      const index = indexes.get(hash)
      if (!index || !source) throw new Error(`no vector of ${hash} is stored`)
      const vectors = await load(index.part)
      return vectors.subarray(index.row * source.dims, (index.row + 1) * source.dims)
    },
    put(hashes, vectors, from) {
      if (source && (source.dims !== from.dims || source.model !== from.model))
        throw new Error(`vectors of ${from.model} among those of ${source.model}`)
      if (hashes.length === 0) return
      source = from
      makeFolder(folder)
      const path = writeRenamed(join(folder, 'part'), (fresh) => {
        writeTable(
          fresh,
          [
            { name: 'hash', type: 'string', values: hashes },
            { name: 'vector', type: 'vectors', values: vectors, dims: from.dims },
          ],
          { dim: String(from.dims), model: from.model, normalized: 'true' },
        )
        return join(folder, partName(fresh))
      })
      const part = basename(path)
      loaded.set(part, Promise.resolve(vectors))
      hashes.forEach((hash, row) => {
        indexes.set(hash, { part, row })
      })
    },
  }
}

function sourceOf({ metadata }: TableBuilder): VectorSource {
  return { model: metadata.get('model') ?? '', dims: Number(metadata.get('dim')) }
}

function partName(path: string): string {
  return `${sha256File(path).slice(0, 32)}.parquet`
}
