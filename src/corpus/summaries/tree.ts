import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cutToBudget } from '../../ranking/cut.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankMap, rankPairs } from '../../ranking/order.ts'
import { type Resolved, resolve } from '../../registry.ts'
import { type Artifact, defineArtifact, derived, type Opened } from '../../store/artifact.ts'
import { titledText } from '../../text/tokenize.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Ranking } from '../../types.ts'
import { chunkColumns } from '../corpus.ts'
import { denseIndex } from '../dense/dense.ts'
import { type Embeddings, embedTexts } from '../dense/embeddings.ts'
import { openVectors, type VectorIndex } from '../dense/vectors.ts'
import { type Incidence, incidenceOf, membersOf } from '../graph/csr.ts'
import { analyzer } from '../lexical/term-counts.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from '../recipe.ts'
import { type AskEach, askNobody } from '../writer.ts'
import { writtenByModel } from '../written.ts'
import { bisect } from './bisect.ts'
import { CLUSTER_TOKENS, type ClusterParams, type Summarizer, summarizers } from './summarizers/index.ts'

/** RAPTOR's tree (Sarthi et al., ICLR 2024). */
export interface Tree {
  readonly summaries: readonly Summary[]
  /** Chunks below each summary. */
  readonly chunks: Incidence
  readonly top: readonly number[]
  readonly index: VectorIndex
}

interface Summary {
  readonly layer: number
  readonly text: string
  readonly tokens: number
  /** Rows of summaries in the tree; in layer 1 of chunks. */
  readonly children: readonly number[]
}

interface Layer {
  readonly texts: readonly string[]
  readonly tokens: readonly number[]
}

/** `children`: the rows of the layer below that each summary covers. */
export interface SummaryLayer extends Layer {
  readonly children: readonly (readonly number[])[]
}

export function assembleTree(layers: readonly SummaryLayer[], chunks: number): Omit<Tree, 'index'> {
  const summaries: Summary[] = []
  const under: (readonly number[])[] = []
  let top: number[] = []
  let start = 0
  layers.forEach(({ texts, tokens, children }, index) => {
    const first = summaries.length
    texts.forEach((text, row) => {
      const rows = children[row].map((child) => start + child)
      summaries.push({ layer: index + 1, text, tokens: tokens[row], children: rows })
      under.push(index === 0 ? rows : rows.flatMap((child) => under[child]))
    })
    if (summaries.length > first) top = texts.map((_, row) => first + row)
    start = first
  })
  return { summaries, chunks: incidenceOf(under, chunks), top }
}

/** Without `extremes`, which does not cover summaries. */
type Scored = Pick<Ranking, 'rows' | 'scores'>

/**
 * Collapsed tree: summaries among the chunks and summaries by score (ties: the chunk first) that fit into `tokens`.
 * If `chunks` is cut (`isCut`), the list ends with its last chunk.
 */
export function collapseNodes(
  chunks: Scored,
  scored: Scored,
  tokensOf: { readonly chunk: (row: number) => number; readonly summary: (row: number) => number },
  { tokens, isCut }: { readonly tokens: number; readonly isCut: boolean },
): Scored {
  const min = isCut ? (chunks.scores.at(-1) as number) : Number.NEGATIVE_INFINITY
  const nodes = [
    ...Array.from(chunks.rows, (row, i) => ({
      place: -1,
      score: chunks.scores[i],
      tokens: tokensOf.chunk(row),
    })),
    ...Array.from(scored.rows, (row, i) => ({
      place: i,
      score: scored.scores[i],
      tokens: tokensOf.summary(row),
    })),
  ]
    .filter(({ score }) => score >= min)
    .sort((a, b) => b.score - a.score)
  const { rows } = cutToBudget(nodes, (node) => node.tokens, tokens)
  const places = rows.flatMap(({ place }) => (place < 0 ? [] : [place]))
  return {
    rows: Uint32Array.from(places, (place) => scored.rows[place]),
    scores: Float64Array.from(places, (place) => scored.scores[place]),
  }
}

/** Smaller than most differences of float32 cosines, larger than float64 rounding. */
const STEP = 2 ** -26

/**
 * Lifts chunks to the score of a summary above them; `cosines` gives the cosines of any chunks.
 *
 *     score(chunk) = max of cos(chunk) and, over the read summaries above it, cos(summary) + 2^-26 (cos(chunk) - 1)
 */
export function lift(
  tree: Pick<Tree, 'chunks'>,
  ranked: Scored,
  summaries: Scored,
  cosines: (rows: readonly number[]) => ArrayLike<number>,
  { depth, mask }: { readonly depth: number; readonly mask?: Mask },
): Ranking {
  const above = new Map<number, number>()
  summaries.rows.forEach((summary, i) => {
    for (const chunk of membersOf(tree.chunks, summary))
      if (mask?.kept[chunk] !== 0)
        above.set(chunk, Math.max(above.get(chunk) ?? Number.NEGATIVE_INFINITY, summaries.scores[i]))
  })
  const scores = new Map(Array.from(ranked.rows, (row, i) => [row, ranked.scores[i]]))
  const lifted = [...above]
  const cosine = cosines(lifted.map(([row]) => row))
  lifted.forEach(([row, score], i) => {
    scores.set(row, Math.max(cosine[i], score + STEP * (cosine[i] - 1)))
  })
  return rankMap(scores, depth)
}

/**
 * Tree traversal: the `nodes` best summaries of the top layer, then of their children, and so on; and the chunks
 * below the last.
 */
export function descendNodes(
  { summaries, top }: Pick<Tree, 'summaries' | 'top'>,
  scored: Scored,
  nodes: number,
): { readonly summaries: Scored; readonly chunks: readonly number[] } {
  const scoreOf = new Map(Array.from(scored.rows, (row, i) => [row, scored.scores[i]]))
  const chosen: [number, number][] = []
  let open = top
  for (let layer = top.length > 0 ? summaries[top[0]].layer : 0; layer > 0; layer--) {
    const candidates = open.filter((row) => scoreOf.has(row))
    const best = rankPairs(
      candidates,
      candidates.map((row) => scoreOf.get(row) as number),
      nodes,
    )
    best.rows.forEach((row, i) => {
      chosen.push([row, best.scores[i]])
    })
    open = [...new Set(Array.from(best.rows).flatMap((row) => summaries[row].children))]
  }
  return {
    summaries: {
      rows: Uint32Array.from(chosen, ([row]) => row),
      scores: Float64Array.from(chosen, ([, score]) => score),
    },
    chunks: open,
  }
}

/** Maximum layers of summaries: `num_layers` of RAPTOR. */
const LAYERS = 5

const layersOf = oncePerRecipe((recipe: Recipe) => {
  if (!recipe.tree) throw new LacksPreparation('tree')
  const { definition, params } = resolve(summarizers, recipe.tree)
  const built: ReturnType<typeof layerOver>[] = []
  let below: Below = { layer: chunkLayer(recipe), vectors: chunkVectors(recipe) }
  for (let number = 1; number <= LAYERS; number++) {
    const layer = layerOver(recipe, below, { definition, params }, number)
    built.push(layer)
    below = { layer: layer.layer, vectors: vectorsOf(layer.embeddings) }
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
): { readonly layer: Artifact<SummaryLayer>; readonly embeddings: Artifact<Embeddings> } {
  const clusters = clustersOf(below, params as object as ClusterParams)
  const inputs = { below: below.layer, clusters, analyze: analyzer(recipe) }
  const summarize = ({ below, clusters, analyze }: Opened<typeof inputs>, askEach: AskEach) =>
    definition
      .make(params)
      .summarize({ clusters: clusters.map((rows) => rows.map((row) => below.texts[row])), analyze }, askEach)
  const written = writtenByModel(
    recipe,
    { definition, params },
    {
      label: `tree: ${definition.name}, layer ${number}`,
      lost: 'clusters have no summary',
      inputs,
      write: summarize,
    },
  )
  const layer = defineArtifact({
    name: 'tree_layer',
    version: 1,
    params: { summarizer: definition.name, ...keyOf(definition, params) },
    inputs: { ...inputs, ...(written && { written }) },
    async build(folder, inputs) {
      const clusters = await inputs.clusters()
      const opened = async () => ({ below: await inputs.below(), clusters, analyze: await inputs.analyze() })
      const summaries = (await inputs.written?.())?.value ?? (await summarize(await opened(), askNobody))
      const nodes = clusters.flatMap((children, row) => {
        const text = summaries[row]
        return text === null ? [] : [{ text, children }]
      })
      const texts = nodes.map(({ text }) => text)
      writeJson(folder, {
        texts,
        tokens: texts.map(countTokens),
        children: nodes.map(({ children }) => children),
      } satisfies SummaryLayer)
    },
    open: (folder): SummaryLayer => readJson(folder),
  })
  const texts = derived('summary_texts', { layer }, ({ layer }) => layer.texts)
  return { layer, embeddings: embedTexts(recipe, 'summaries', texts) }
}

function clustersOf({ layer, vectors }: Below, { size, seed }: ClusterParams) {
  return defineArtifact({
    name: 'tree_clusters',
    version: 1,
    params: { size, seed },
    inputs: { layer, vectors },
    async build(folder, inputs) {
      const { tokens } = await inputs.layer()
      const few = tokens.length <= size
      writeJson(
        folder,
        few ? [] : bisect(await inputs.vectors(), tokens, { size, tokens: CLUSTER_TOKENS, seed }),
      )
    },
    open: (folder): number[][] => readJson(folder),
  })
}

export const tree = oncePerRecipe((recipe: Recipe): Artifact<Tree> => {
  const layers = layersOf(recipe)
  const inputs = Object.fromEntries(
    layers.flatMap(({ layer, embeddings }, i) => [
      [`layer ${i}`, layer],
      [`embeddings ${i}`, embeddings],
    ]),
  ) as Record<string, Artifact<unknown>>
  return derived('tree', { ...inputs, chunks: chunkColumns(recipe, 'id') }, ({ chunks, ...opened }) => {
    const inputs = opened as Record<string, unknown>
    const all = layers.map((_, i) => inputs[`layer ${i}`] as SummaryLayer)
    const embedded = layers.map((_, i) => inputs[`embeddings ${i}`] as Embeddings)
    const [{ dims }] = embedded
    const index = openVectors(
      embedded.flatMap(({ vectors }) => vectors),
      dims,
    )
    return { ...assembleTree(all, (chunks as readonly unknown[]).length), index }
  })
})

const FILE = 'tree.json'

function writeJson(folder: string, value: unknown): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(value)}\n`)
}

function readJson<T>(folder: string): T {
  return JSON.parse(readFileSync(join(folder, FILE), 'utf8'))
}
