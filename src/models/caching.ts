import { UserError } from '../errors.ts'
import { listen } from '../stopping.ts'
import { type Embedder, type Embedding, RefusedText } from './embedder.ts'
import { textHash, type VectorCache } from './vector-cache.ts'

/**
 * An embedder that keeps its vectors: equal texts are embedded once, a text that is kept is never embedded again, and
 * the model behind it is opened only for a text that is not. Parts are written every `batch` texts, so that embedding
 * many goes on where it was stopped. The vectors are the model's own, bit for bit.
 */
export async function cachingEmbedder(
  cache: VectorCache,
  open: () => Promise<Embedder>,
  batch: number,
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
        `the embedder is ${embedder.model} with vectors of length ${embedder.dims}; the vectors kept of it are of ${model} and have ${dims}`,
      )
    for (let from = 0; from < texts.length; from += batch) {
      progress?.(from, texts.length)
      const part = texts.slice(from, from + batch)
      const vectors = await embedder.embed(part, (done) => progress?.(from + done, texts.length))
      const done = dims === 0 ? part.length : vectors.length / dims
      // Another call may have kept some of these meanwhile; that only leaves a vector twice on the disk.
      if (done > 0)
        cache.put(hashes.slice(from, from + done), vectors, { model: embedder.model, dims: embedder.dims })
      await listen()
      if (done < part.length)
        throw new Error(`${embedder.model} gave ${done} vectors for ${part.length} texts`)
    }
    progress?.(texts.length, texts.length)
  }

  return { model, dims, embed }
}
