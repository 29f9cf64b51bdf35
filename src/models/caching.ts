import { UserError } from '../errors.ts'
import { listen, Stopped } from '../stopping.ts'
import { type Embedder, type Embedding, RefusedText, type Requests } from './embedder.ts'
import { textHash, type VectorCache } from './vector-cache.ts'

/** Parts in which many texts are embedded. */
export interface Parts {
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
      let heard = 0
      const hear = (count: number) => {
        done += count - heard
        heard = count
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
      if (heard < answered) hear(answered)
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
