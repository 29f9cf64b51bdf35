import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UserError } from '../errors.ts'
import { listen, Stopped } from '../stopping.ts'
import { sha256, sha256File } from '../store/hash.ts'
import { makeFolder, writeRenamed } from '../store/write.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import type { TableBuilder } from '../tables/table.ts'
import { type Embedder, type Embedding, RefusedText, type Requests } from './embedder.ts'

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
    const fail = (message: string) => new UserError(message, path)
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

/** Parts in which many texts are embedded. */
interface Parts {
  /** Texts of a part, whose vectors are stored as one file. */
  readonly texts: number
  /** Parts under way at once. The next part begins when any of them is complete. */
  readonly atOnce: number
}

/**
 * Parts of about `batch` texts. Behind a server, a part holds whole requests, and the parts under way hold twice as many
 * as may be sent at once, so that a slow request holds up no other.
 */
export function partsOf(batch: number, requests?: Requests): Parts {
  if (!requests) return { texts: batch, atOnce: 1 }
  const each = Math.ceil(batch / requests.texts)
  return { texts: each * requests.texts, atOnce: 1 + Math.ceil((2 * requests.atOnce) / each) }
}

/**
 * Equal texts are embedded once, and the model is opened only for a text without a stored vector. Each part is written
 * when complete.
 */
export async function cachingEmbedder(
  cache: VectorCache,
  open: () => Promise<Embedder>,
  parts: Parts,
): Promise<Embedder> {
  const { model, dims } = cache.source() ?? (await open())

  const embed: Embedding = async (texts, progress) => {
    const hashes = texts.map(textHash)
    const missing = new Map<string, string>()
    hashes.forEach((hash, index) => {
      if (!cache.has(hash)) missing.set(hash, texts[index])
    })
    if (missing.size > 0)
      await fill([...missing.keys()], [...missing.values()], progress).catch((error: unknown) => {
        if (!(error instanceof RefusedText)) throw error
        const { text, reason } = error
        throw new RefusedText(hashes.indexOf(textHash(text)), text, reason)
      })
    const vectors = new Float32Array(texts.length * dims)
    for (const [index, hash] of hashes.entries()) vectors.set(await cache.get(hash), index * dims)
    return vectors
  }

  async function fill(
    hashes: readonly string[],
    texts: readonly string[],
    progress?: (done: number, total: number) => void,
  ) {
    const embedder = await open()
    if (embedder.model !== model || embedder.dims !== dims)
      throw new UserError(
        `the embedder is ${embedder.model} with vectors of length ${embedder.dims}; its stored vectors are of ${model} and have ${dims}`,
      )
    let done = 0
    const embedPart = async (from: number, signal: AbortSignal) => {
      const part = texts.slice(from, from + parts.texts)
      let reported = 0
      const hear = (count: number) => {
        done += count - reported
        reported = count
        progress?.(done, texts.length)
      }
      const vectors = await embedder.embed(part, hear, signal)
      const answered = dims === 0 ? part.length : vectors.length / dims
      // Another call may have stored some of these meanwhile; a vector is then on the disk twice.
      if (answered > 0)
        cache.put(hashes.slice(from, from + answered), vectors, {
          model: embedder.model,
          dims: embedder.dims,
        })
      await listen()
      if (answered < part.length)
        throw new Error(`${embedder.model} gave ${answered} vectors for ${part.length} texts`)
      if (reported < answered) hear(answered)
    }
    progress?.(0, texts.length)
    await slidingWindow(texts.length, parts, embedPart)
  }

  return { model, dims, embed }
}

/**
 * Runs `task` from the start of each part on, `atOnce` at a time. The first failure aborts the others. Throws once
 * nothing is under way.
 */
async function slidingWindow(
  length: number,
  { texts, atOnce }: Parts,
  task: (from: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(length / texts) }, (_, part) => part * texts).values()
  const failure = new AbortController()
  const lane = async () => {
    for (const from of starts) {
      failure.signal.throwIfAborted()
      await task(from, failure.signal)
    }
  }
  const lanes = Array.from({ length: atOnce }, () =>
    lane().catch((error: unknown) => {
      if (!(error instanceof Stopped)) failure.abort(error)
      return error
    }),
  )
  const [stopped] = (await Promise.all(lanes)).filter((error) => error !== undefined)
  failure.signal.throwIfAborted()
  if (stopped !== undefined) throw stopped
}
