import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { type Embedder, type Role, wrapEmbedder } from '../../models/embedder.ts'
import { type EmbedderSource, embedders } from '../../models/embedders/index.ts'
import {
  cachingEmbedder,
  openVectorCache,
  partsOf,
  textHash,
  type VectorCache,
} from '../../models/vector-cache.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { hashOf } from '../../store/hash.ts'
import type { Store } from '../../store/store.ts'
import { readTable, writeTable } from '../../tables/parquet.ts'
import { analyzer, termCounts } from '../lexical/term-counts.ts'
import type { Recipe } from '../recipe.ts'

export interface Embeddings {
  /**
   * L2-normalised vectors in the order of the texts, as the bytes of their float32; zero if the embedder knows no
   * word of the text.
   */
  readonly vectors: readonly Uint8Array[]
  readonly dims: number
  readonly model: string
}

const FILE = 'embeddings.parquet'

/** Embeds texts without a stored vector. `name` (`chunks`, `entities`) is part of the artifact's folder. */
export function embedTexts(
  recipe: Recipe,
  name: string,
  texts: Artifact<readonly string[]>,
  choice: Recipe['embedder'] = recipe.embedder,
  role: Role = 'passage',
): Artifact<Embeddings> {
  return defineArtifact({
    name: `embeddings_${name}`,
    version: 1,
    params: null,
    inputs: { texts, embedder: embedder(recipe, choice, role) },
    copied: true,
    async build(folder, inputs, { progress }) {
      const { embed, dims, model } = await inputs.embedder()
      const all = await inputs.texts()
      const matrix = await embed(all, (done, total) => progress(`embedding ${name}`, done, total))
      if (areAllEqual(matrix, dims) && new Set(all).size >= FEW)
        throw new UserError(
          `the embedder ${model} gives the same vector for all ${all.length} texts (${name}), so it tells none of them apart; repair the model or its server, then remove the store, which keeps these vectors`,
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

const FEW = 10

function areAllEqual(matrix: Float32Array, dims: number): boolean {
  return matrix.every((value, at) => value === matrix[at % dims]) && matrix.some((value) => value !== 0)
}

/** Texts that need no building, such as a dataset's queries. */
export function givenTexts(texts: readonly string[]): Artifact<readonly string[]> {
  return defineArtifact({
    name: 'texts',
    version: 1,
    params: { sha256: hashOf(texts) },
    inputs: {},
    open: () => texts,
  })
}

/**
 * The distinct texts, with their prefix, that lack a stored vector and are not in `counted`, to which their hashes
 * are added. The texts must be prepared.
 */
export async function missingTexts(
  store: Store,
  embeddings: Artifact<unknown>,
  counted: Map<string, Set<string>> = new Map(),
): Promise<string[]> {
  if (store.has(embeddings)) return []
  const { texts, embedder } = embeddings.inputs
  const { vectors } = embedder.inputs
  const { prefix = '' } = (embedder.params ?? {}) as { readonly prefix?: string }
  const cache = (await store.open(vectors)) as VectorCache
  const fresh = counted.get(vectors.key) ?? new Set()
  counted.set(vectors.key, fresh)
  const missing: string[] = []
  for (const text of (await store.open(texts)) as readonly string[]) {
    const hash = textHash(prefix + text)
    if (cache.has(hash) || fresh.has(hash)) continue
    fresh.add(hash)
    missing.push(prefix + text)
  }
  return missing
}

/** Kind of texts (`chunks`, `entities`) of an artifact of `embedTexts`; undefined for other artifacts. */
export function embeddedAs({ name }: Artifact<unknown>): string | undefined {
  return /^embeddings_(.*)$/.exec(name)?.[1]
}

/** Embedder of the recipe, or another choice fitted on the same chunks. The model is opened for the first new text. */
export function embedder(
  recipe: Recipe,
  choice: Recipe['embedder'] = recipe.embedder,
  role: Role = 'passage',
): Artifact<Embedder> {
  const { batch, requests, around = {} } = sourceOf(choice)
  const base = baseEmbedder(recipe, choice, role)
  const prefix = around.prefix?.[role] || undefined
  const plain = prefix === undefined && around.cut === undefined
  return defineArtifact({
    name: 'embedder',
    version: 1,
    params: plain ? null : { prefix, cut: around.cut },
    inputs: { base, vectors: keptVectors(base) },
    async open(_folder, inputs) {
      const caching = await cachingEmbedder(await inputs.vectors(), inputs.base, partsOf(batch, requests))
      return wrapEmbedder(caching, around, role)
    },
  })
}

/** Model on this machine behind an artifact of `embedder`; otherwise undefined. */
export function localModelOf({ name, inputs }: Artifact<unknown>): Artifact<Embedder> | undefined {
  const isLocal = name === 'embedder' && inputs.base.name === 'transformers'
  return isLocal ? (inputs.base as Artifact<Embedder>) : undefined
}

function sourceOf(choice: Recipe['embedder']): EmbedderSource {
  const { definition, params } = resolve(embedders, choice)
  return definition.make(params)
}

function baseEmbedder(recipe: Recipe, choice: Recipe['embedder'], role: Role): Artifact<Embedder> {
  const corpus = { terms: () => ({ counts: termCounts(recipe), analyze: analyzer(recipe) }) }
  return sourceOf(choice).artifact(corpus, role)
}

/** Stored vectors of one embedder; the folder grows as texts are embedded. */
function keptVectors(base: Artifact<Embedder>): Artifact<VectorCache> {
  return defineArtifact({
    name: 'vectors',
    version: 1,
    params: null,
    inputs: { base },
    open: openVectorCache,
  })
}
