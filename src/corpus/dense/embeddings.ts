import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { wrapEmbedder } from '../../models/around.ts'
import { cachingEmbedder } from '../../models/caching.ts'
import type { Embedder, Role } from '../../models/embedder.ts'
import { embedders } from '../../models/embedders/index.ts'
import { openVectorCache, textHash, type VectorCache } from '../../models/vector-cache.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { hashOf } from '../../store/hash.ts'
import type { Store } from '../../store/store.ts'
import { readTable, writeTable } from '../../tables/parquet.ts'
import type { AnalyzerParams } from '../../text/tokenize.ts'
import { analyzer, termCounts } from '../lexical/term-counts.ts'
import type { Recipe } from '../recipe.ts'

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
  choice: Recipe['embedder'] = recipe.embedder,
  role: Role = 'passage',
): Artifact<Embeddings> {
  return defineArtifact({
    name: `embeddings_${name}`,
    version: 1,
    params: null,
    inputs: { texts, embedder: embedder(recipe, choice, role) },
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

/**
 * How many texts preparing these embeddings would embed: distinct ones that this embedder has not kept and that are not
 * `counted` yet, and they then are. Opens the texts, which must be prepared.
 */
export async function countMissing(
  store: Store,
  embeddings: Artifact<Embeddings>,
  counted: Counted = new Map(),
): Promise<number> {
  if (store.has(embeddings)) return 0
  const { texts, embedder } = embeddings.inputs
  const { vectors } = embedder.inputs
  const { prefix = '' } = (embedder.params ?? {}) as { readonly prefix?: string }
  const kept = (await store.open(vectors)) as VectorCache
  const fresh = counted.get(vectors.key) ?? new Set()
  counted.set(vectors.key, fresh)
  const before = fresh.size
  for (const text of (await store.open(texts)) as readonly string[]) {
    const hash = textHash(prefix + text)
    if (!kept.has(hash)) fresh.add(hash)
  }
  return fresh.size - before
}

/** By embedder, the hashes of texts that will be kept by then. */
export type Counted = Map<string, Set<string>>

/** What preparing embeds as, for artifacts of `embedTexts`: `chunks`, `entities`, ...; undefined for any other. */
export function embeddedAs({ name }: Artifact<unknown>): string | undefined {
  return /^embeddings_(.*)$/.exec(name)?.[1]
}

/**
 * The recipe's embedder, or another choice fitted on the same chunks, for texts of one role, with its vectors kept by
 * content. Opening it opens no model: that happens for the first text whose vector is not kept.
 */
export function embedder(
  recipe: Recipe,
  choice: Recipe['embedder'] = recipe.embedder,
  role: Role = 'passage',
): Artifact<Embedder> {
  const { definition, around } = chosen(choice)
  const base = baseEmbedder(recipe, choice, role)
  const prefix = around.prefix?.[role] || undefined
  const plain = prefix === undefined && around.cut === undefined
  return defineArtifact({
    name: 'embedder',
    version: 1,
    params: plain ? null : { prefix, cut: around.cut },
    inputs: { base, vectors: keptVectors(base) },
    async open(_folder, inputs) {
      const caching = await cachingEmbedder(await inputs.vectors(), inputs.base, definition.batch)
      return wrapEmbedder(caching, around, role)
    },
  })
}

/** An embedder's vectors of tokens, with what stands before a text of this role. Keeps none. */
export function tokenEmbedder(
  recipe: Recipe,
  choice: Recipe['embedder'],
  role: Role,
): Artifact<Required<Pick<Embedder, 'dims' | 'tokens'>>> {
  const { definition, around } = chosen(choice)
  if (!definition.tokens) {
    const names = embedders.all.filter(({ tokens }) => tokens).map(({ name }) => name)
    throw new UserError(
      `the embedder \`${definition.name}\` gives no vectors of tokens; ${names.join(', ')} does`,
    )
  }
  const prefix = around.prefix?.[role] || undefined
  const base = baseEmbedder(recipe, choice, role)
  return derived(
    'token_embedder',
    { base },
    ({ base }) => {
      const { model, dims, tokens } = wrapEmbedder(base, { prefix: around.prefix }, role)
      if (!tokens) throw new Error(`${model} gives no vectors of tokens`)
      return { dims, tokens }
    },
    prefix === undefined ? null : { prefix },
  )
}

function chosen(choice: Recipe['embedder']) {
  const { definition, params } = resolve(embedders, choice)
  return { definition, params, around: definition.around?.(params) ?? {} }
}

/** The embedder itself, which keeps nothing. */
function baseEmbedder(recipe: Recipe, choice: Recipe['embedder'], role: Role): Artifact<Embedder> {
  const { definition, params } = chosen(choice)
  const corpus = {
    terms: (analysis: AnalyzerParams) => ({
      counts: termCounts(recipe, analysis),
      analyze: analyzer(recipe, analysis),
    }),
  }
  return definition.artifact(params, corpus, role)
}

/** The vectors kept of one embedder. Nothing is built: its folder in the store grows as texts are embedded. */
function keptVectors(base: Artifact<Embedder>): Artifact<VectorCache> {
  return defineArtifact({
    name: 'vectors',
    version: 1,
    params: null,
    inputs: { base },
    open: openVectorCache,
  })
}
