import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Resolved, resolve } from '../../registry.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { titledText } from '../../text/tokenize.ts'
import { countTokens } from '../../text/tokens.ts'
import { chatModel } from '../chat-model.ts'
import { chunkColumns } from '../corpus.ts'
import { denseIndex } from '../dense/dense.ts'
import { type Embeddings, embedTexts } from '../dense/embeddings.ts'
import { openVectors, type VectorIndex } from '../dense/vectors.ts'
import { bisect } from '../graph/bisect.ts'
import { analyzer } from '../lexical/term-counts.ts'
import { type FromModel, modelArtifact } from '../model-artifact.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from '../recipe.ts'
import type { ClusterParams, ClusterSummaries, Summarizer } from './summarizers/define.ts'
import { summarizers } from './summarizers/index.ts'
import { assembleTree, type Layer, type SummaryLayer, type SummaryTree } from './tree.ts'

/** RAPTOR's tree over the chunks, with the vectors of its summaries. */
export interface Tree extends SummaryTree {
  readonly index: VectorIndex
}

interface BuiltLayer {
  readonly heard?: Artifact<FromModel<ClusterSummaries>>
  readonly layer: Artifact<SummaryLayer>
  readonly embeddings: Artifact<Embeddings>
}

/** Layers of summaries by `prepare.tree`, from the chunks up. Throws a UserError if the config has no such line. */
const layersOf = oncePerRecipe((recipe: Recipe): readonly BuiltLayer[] => {
  if (!recipe.tree) throw new LacksPreparation('tree')
  const { definition, params } = resolve(summarizers, recipe.tree)
  const { layers } = params as object as ClusterParams
  const built: BuiltLayer[] = []
  let below = { layer: chunkLayer(recipe), vectors: chunkVectors(recipe) }
  for (let number = 1; number <= layers; number++) {
    const one = layerOver(recipe, below, { definition, params }, number)
    built.push(one)
    below = { layer: one.layer, vectors: vectorsOf(one.embeddings) }
  }
  return built
})

interface Below {
  readonly layer: Artifact<Layer>
  readonly vectors: Artifact<readonly Float32Array[]>
}

function chunkLayer(recipe: Recipe): Artifact<Layer> {
  const chunks = chunkColumns(recipe, 'title', 'text', 'tokens')
  return derived('chunk_layer', { chunks }, ({ chunks }) => ({
    texts: chunks.map(titledText),
    tokens: chunks.map(({ tokens }) => tokens),
  }))
}

/** Vectors of chunks; for a chunk in small units the direction of their sum. */
function chunkVectors(recipe: Recipe): Artifact<readonly Float32Array[]> {
  return derived('chunk_vectors', { dense: denseIndex(recipe) }, ({ dense }) =>
    Array.from({ length: dense.rows }, (_, row) => dense.vector(row)),
  )
}

function vectorsOf(embeddings: Artifact<Embeddings>): Artifact<readonly Float32Array[]> {
  return derived('summary_vectors', { embeddings }, ({ embeddings: { vectors } }) =>
    vectors.map((bytes) => new Float32Array(Uint8Array.from(bytes).buffer)),
  )
}

function layerOver(
  recipe: Recipe,
  below: Below,
  { definition, params }: Resolved<Summarizer>,
  number: number,
): BuiltLayer {
  const clusters = clustersOf(below, params as object as ClusterParams)
  const textsOf = ({ texts }: Layer, clusters: readonly (readonly number[])[]) =>
    clusters.map((rows) => rows.map((row) => texts[row]))
  const inputs = {
    below: below.layer,
    clusters,
    analyze: analyzer(recipe, { stemmer: 'language', stopwords: 'language' }),
  }
  const key = keyOf(definition, params)
  const heard = definition.asks
    ? modelArtifact({
        name: 'heard_summaries',
        version: 1,
        params: { name: `tree: ${definition.name}, layer ${number}`, ...key },
        inputs,
        model: chatModel(recipe, String(params.model)),
        write: async (chat, { below, clusters, analyze }) =>
          definition.summarize({ clusters: textsOf(below, clusters), analyze, chat }, params),
      })
    : undefined
  const layer = defineArtifact({
    name: 'tree_layer',
    version: 1,
    params: { summarizer: definition.name, ...key },
    inputs: { ...inputs, ...(heard ? ({ heard } as object) : {}) },
    async build(folder, inputs) {
      const clusters = await inputs.clusters()
      const fromModel = (inputs as { readonly heard?: () => Promise<FromModel<ClusterSummaries>> }).heard
      const summaries = fromModel
        ? (await fromModel()).value
        : await definition.summarize(
            { clusters: textsOf(await inputs.below(), clusters), analyze: await inputs.analyze() },
            params,
          )
      const kept = clusters.flatMap((children, row) => {
        const text = summaries[row]
        return text === null ? [] : [{ text, children }]
      })
      const texts = kept.map(({ text }) => text)
      writeJson(folder, {
        texts,
        tokens: texts.map(countTokens),
        children: kept.map(({ children }) => children),
      } satisfies SummaryLayer)
    },
    open: (folder): SummaryLayer => readJson(folder),
  })
  const texts = derived('summary_texts', { layer }, ({ layer }) => layer.texts)
  return { heard, layer, embeddings: embedTexts(recipe, 'summaries', texts) }
}

/** Clusters of a layer; none if the layer is small enough to be read as it is. */
function clustersOf({ layer, vectors }: Below, { size, inputTokens, seed }: ClusterParams) {
  return defineArtifact({
    name: 'tree_clusters',
    version: 1,
    params: { size, inputTokens, seed },
    inputs: { layer, vectors },
    async build(folder, inputs) {
      const { tokens } = await inputs.layer()
      const few = tokens.length <= size
      writeJson(
        folder,
        few ? [] : bisect(await inputs.vectors(), tokens, { size, tokens: inputTokens, seed }),
      )
    },
    open: (folder): number[][] => readJson(folder),
  })
}

/** Tree over the chunks. Throws a UserError if the config has no such line. */
export const tree = oncePerRecipe((recipe: Recipe): Artifact<Tree> => {
  const layers = layersOf(recipe)
  const inputs = Object.fromEntries(
    layers.flatMap(({ layer, embeddings }, i) => [
      [`layer ${i}`, layer],
      [`embeddings ${i}`, embeddings],
    ]),
  ) as Record<string, Artifact<unknown>>
  return derived('tree', { ...inputs, chunks: chunkColumns(recipe, 'id') }, ({ chunks, ...opened }) => {
    const found = opened as Record<string, unknown>
    const all = layers.map((_, i) => found[`layer ${i}`] as SummaryLayer)
    const embedded = layers.map((_, i) => found[`embeddings ${i}`] as Embeddings)
    const index = openVectors(
      embedded.flatMap(({ vectors }) => vectors),
      embedded[0].dims,
    )
    return { ...assembleTree(all, (chunks as readonly unknown[]).length), index }
  })
})

/** Summaries of a language model for each layer's clusters; empty if `prepare.tree` uses no model. */
export function modelTree(recipe: Recipe): Artifact<FromModel<ClusterSummaries>>[] {
  return recipe.tree ? layersOf(recipe).flatMap(({ heard }) => heard ?? []) : []
}

const FILE = 'tree.json'

function writeJson(folder: string, value: unknown): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(value)}\n`)
}

function readJson<T>(folder: string): T {
  return JSON.parse(readFileSync(join(folder, FILE), 'utf8'))
}
