import { join } from 'node:path'
import { textHash, type VectorCache } from '../models/vector-cache.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { hashOf } from '../store/hash.ts'
import type { Store } from '../store/store.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import { embedder } from './embedder.ts'
import type { Choice, Recipe } from './recipe.ts'

export interface Embeddings {
  /**
   * One L2-normalised vector a text, in order, as the bytes of its float32: views into what was read. Zeros where the
   * embedder knows nothing of a text.
   */
  readonly vectors: readonly Uint8Array[]
  readonly dims: number
  readonly model: string
}

const FILE = 'embeddings.parquet'

/**
 * The vectors of `texts`, one a text, in order. `name` says of what, as `chunks` or `entities`; it stands in the
 * artifact's folder and in progress. Only texts are embedded whose vector this embedder has not kept; what was embedded
 * before an interruption is not embedded again.
 */
export function embedTexts(
  recipe: Recipe,
  name: string,
  texts: Artifact<readonly string[]>,
  choice: Choice = recipe.embedder,
): Artifact<Embeddings> {
  return defineArtifact({
    name: `embeddings_${name}`,
    version: 1,
    params: null,
    inputs: { texts, embedder: embedder(recipe, choice) },
    // Indexes hold the vectors in their own form.
    copied: true,
    async build(folder, inputs, { progress }) {
      const { embed, dims, model } = await inputs.embedder()
      const matrix = await embed(await inputs.texts(), (done, total) =>
        progress(`embedding ${name}`, done, total),
      )
      writeTable(join(folder, FILE), [{ name: 'vector', type: 'vectors', values: matrix, dims }], {
        dim: String(dims),
        model,
        normalized: 'true',
      })
    },
    async open(folder) {
      const table = await readTable(join(folder, FILE))
      const dims = Number(table.metadata.get('dim'))
      return { vectors: table.bytes('vector'), dims, model: table.metadata.get('model') ?? '' }
    },
  })
}

/**
 * Texts that are known without building anything, as a dataset's queries: preparing their embeddings keeps their
 * vectors for the run, whose workers then need no model.
 */
export function givenTexts(texts: readonly string[]): Artifact<readonly string[]> {
  return defineArtifact({
    name: 'texts',
    version: 1,
    params: { sha256: hashOf(texts) },
    inputs: {},
    open: () => texts,
  })
}

/** How many texts preparing these embeddings would embed; undefined where the texts themselves are not prepared yet. */
export async function countMissing(
  store: Store,
  embeddings: Artifact<Embeddings>,
): Promise<number | undefined> {
  if (store.has(embeddings)) return 0
  const { texts, embedder } = embeddings.inputs
  if (!isPrepared(store, texts)) return undefined
  const kept = (await store.open(embedder.inputs.vectors)) as VectorCache
  const hashes = new Set(((await store.open(texts)) as readonly string[]).map(textHash))
  return [...hashes].filter((hash) => !kept.has(hash)).length
}

/** Whether an artifact can be opened: it is in the store, or needs no building and its inputs can be opened. */
function isPrepared(store: Store, artifact: Artifact<unknown>): boolean {
  if (!store.has(artifact)) return false
  if (artifact.build) return true
  return Object.values(artifact.inputs).every((input) => isPrepared(store, input))
}
