import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { UserError } from '../errors.ts'
import { sha256, sha256File } from '../store/hash.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import type { Table } from '../tables/table.ts'

/**
 * One embedder's vectors by the hash of their text: a folder of Parquet part files, each named by the hash of its own
 * bytes and written to a temporary name first, so that whatever stops a process, the parts that are there are whole.
 */
export interface VectorCache {
  /** Whose vectors these are; undefined while there are none. */
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

/** What a text is kept under. */
export function textHash(text: string): string {
  return sha256(text).slice(0, 32)
}

const PART = /^[0-9a-f]{32}\.parquet$/

/**
 * Opens the parts in `folder`, which need not exist. A part is hashed before a vector of it is given, and not on opening:
 * most processes need few of them.
 */
export async function openVectorCache(folder: string): Promise<VectorCache> {
  const places = new Map<string, { part: string; row: number }>()
  const loaded = new Map<string, Promise<Float32Array>>()
  let source: VectorSource | undefined
  let written = 0
  const parts = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => PART.test(file))
        .sort()
    : []
  for (const part of parts) {
    const table = await readTable(join(folder, part), ['hash'])
    source ??= sourceOf(table)
    table.strings('hash').forEach((hash, row) => {
      places.set(hash, { part, row })
    })
  }

  function load(part: string): Promise<Float32Array> {
    const known = loaded.get(part)
    if (known) return known
    const path = join(folder, part)
    if (partName(path) !== part)
      throw new UserError({
        file: path,
        message: 'was altered since it was written; delete it and prepare again',
      })
    const vectors = readTable(path, ['vector']).then((table) => {
      // What the first part says of all was not hashed then.
      if (sourceOf(table).dims !== source?.dims || sourceOf(table).model !== source.model)
        throw new UserError({ file: path, message: `holds vectors of another model than ${parts[0]}` })
      return table.vectors('vector')
    })
    loaded.set(part, vectors)
    return vectors
  }

  return {
    source: () => source,
    has: (hash) => places.has(hash),
    async get(hash) {
      const place = places.get(hash)
      if (!place || !source) throw new Error(`no vector of ${hash} is kept`)
      const vectors = await load(place.part)
      return vectors.subarray(place.row * source.dims, (place.row + 1) * source.dims)
    },
    put(hashes, vectors, from) {
      if (source && (source.dims !== from.dims || source.model !== from.model))
        throw new Error(`vectors of ${from.model} beside those of ${source.model}`)
      if (hashes.length === 0) return
      source = from
      mkdirSync(folder, { recursive: true })
      // Threads of one process keep vectors in one folder, so the process alone would not name a file of one's own.
      const fresh = join(folder, `${threadId}-${written++}.${process.pid}.tmp`)
      try {
        writeTable(
          fresh,
          [
            { name: 'hash', type: 'string', values: hashes },
            { name: 'vector', type: 'vectors', values: vectors, dims: from.dims },
          ],
          { dim: String(from.dims), model: from.model, normalized: 'true' },
        )
        const part = partName(fresh)
        renameSync(fresh, join(folder, part))
        loaded.set(part, Promise.resolve(vectors))
        hashes.forEach((hash, row) => {
          places.set(hash, { part, row })
        })
      } finally {
        rmSync(fresh, { force: true })
      }
    },
  }
}

function sourceOf({ metadata }: Table): VectorSource {
  return { model: metadata.get('model') ?? '', dims: Number(metadata.get('dim')) }
}

function partName(path: string): string {
  return `${sha256File(path).slice(0, 32)}.parquet`
}
