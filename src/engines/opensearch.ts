import { z } from 'zod'
import { indexedTexts } from '../corpus/chunks/units.ts'
import { type Embeddings, embedTexts } from '../corpus/dense/embeddings.ts'
import { UserError } from '../errors.ts'
import type { Artifact, Lazy } from '../store/artifact.ts'
import type { Json } from '../types.ts'
import { type BothSides, defineEngine, type EngineFusion, type EngineIndex } from './define.ts'
import { batchesOf, loadedIndex, numberIn, vectorsOf } from './loaded.ts'
import { ask, type Clause, type OpenSearch, responseError, server } from './opensearch-server.ts'
import { Refused } from './server.ts'

/**
 * Indexes of one corpus in OpenSearch, each named by the key of its content. A document's id is the chunk's row, so that a
 * load that was cut off goes on where it ended. The mapping's `_meta` marks an index as Touchstone's.
 *
 *     lexical   score = BM25 of Lucene (k1, b as given), statistics of all shards (dfs_query_then_fetch)
 *     dense     score = cosine; `knn_score` over all rows, or Lucene's HNSW
 */

/** Candidates when a graph is built: OpenSearch's default. */
const EF_CONSTRUCTION = 100

type Shape = { readonly shards: number; readonly replicas: number }
type Analysis = { readonly analyzer: string; readonly k1: number; readonly b: number }
/** HNSW graph of an index; null to compare every row. */
type Graph = { readonly graph: { readonly m: number } | null }

interface Sides {
  readonly texts: Artifact<readonly string[]>
  readonly embeddings: Artifact<Embeddings>
}

/** OpenSearch: BM25 by Lucene with an analyzer of your choice, and dense search by its k-NN plugin. */
export const opensearch = defineEngine({
  name: 'opensearch',
  summary: "OpenSearch: Lucene's BM25 with one of its analyzers; dense search exact or by Lucene's HNSW",
  source: 'OpenSearch 2.19; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject({
    analyzer: z
      .string()
      .regex(/^[a-z_]{1,40}$/, 'must be the name of an analyzer, as standard, english or german')
      .default('standard')
      .describe('analyzer of texts: standard, or that of a language, as english'),
    shards: z.int().min(1).max(1024).default(1).describe('primary shards of each index'),
    replicas: z.int().min(0).max(10).default(0).describe('copies of each shard'),
    index: z
      .enum(['exact', 'hnsw'])
      .default('hnsw')
      .describe('dense search by a graph; `exact` compares every row'),
    m: z.int().min(2).max(100).default(16).describe('edges of a node; hnsw'),
    efSearch: z.int().min(1).max(10_000).default(100).describe('candidates of a search; hnsw'),
  }),
  server,
  dense(recipe, { shards, replicas, index, m, efSearch }) {
    const graph = index === 'hnsw' ? { m } : null
    const embeddings = embedTexts(recipe, 'chunks', indexedTexts(recipe))
    return { index: openSearchVectors(embeddings, { shards, replicas, graph }), how: graph && efSearch }
  },
  lexical(recipe, { shards, replicas, analyzer }, { k1, b }) {
    return { index: openSearchTexts(indexedTexts(recipe), { shards, replicas, analyzer, k1, b }), how: null }
  },
  hybrid(recipe, { shards, replicas, analyzer, index, m, efSearch }, { k1, b }, fusion) {
    if (fusion.fusion === 'rrf' && fusion.rrfK < 1) throw new UserError("OpenSearch's `rrfK` is 1 or more")
    const graph = index === 'hnsw' ? { m } : null
    const texts = indexedTexts(recipe)
    const inputs = { texts, embeddings: embedTexts(recipe, 'chunks', texts) }
    return {
      index: openSearchBoth(inputs, { shards, replicas, analyzer, graph, k1, b }),
      how: { fusion, efSearch },
    }
  },
})

/** Index of the chunks' texts. */
export const openSearchTexts = (
  texts: Artifact<readonly string[]>,
  params: Shape & Analysis,
): Artifact<EngineIndex<string>> =>
  openSearchIndex({
    name: 'opensearch-text',
    params,
    inputs: { texts },
    requestOf: (text, _depth, _how, filter) => ({ query: wordsQuery(text, filter) }),
    scoreOf: (score) => score,
  })

/** Index of the chunks' vectors. */
export const openSearchVectors = (
  embeddings: Artifact<Embeddings>,
  params: Shape & Graph,
): Artifact<EngineIndex<Float32Array>> =>
  openSearchIndex({
    name: 'opensearch',
    params,
    inputs: { embeddings },
    requestOf: (vector, depth, how, filter) => ({
      query: vectorQuery(vector, depth, params.graph && (how as number), filter),
    }),
    // The score is (1 + cosine) / 2, since OpenSearch never lets a score be negative.
    scoreOf: (score) => 2 * score - 1,
  })

/** Index of texts and vectors together, searched by both at once. */
const openSearchBoth = (inputs: Sides, params: Shape & Analysis & Graph): Artifact<EngineIndex<BothSides>> =>
  openSearchIndex({
    name: 'opensearch-hybrid',
    params,
    inputs,
    requestOf({ text, vector }, depth, how, filter) {
      const { fusion, efSearch } = how as { fusion: EngineFusion; efSearch: number }
      const words = wordsQuery(text, filter)
      // A query without a known word has no vector.
      const sides = vector.every((value) => value === 0)
        ? [words]
        : [words, vectorQuery(vector, depth, params.graph && efSearch, filter)]
      return hybridRequest(sides, depth, fusion)
    },
    scoreOf: (score) => score,
    isHybrid: true,
  })

const wordsQuery = (text: string, filter: readonly Clause[]): Clause => ({
  bool: { must: [{ match: { text: { query: text } } }], filter },
})

/** Search of a graph with `efSearch` candidates, or of every vector if null. */
function vectorQuery(
  vector: Float32Array,
  depth: number,
  efSearch: number | null,
  filter: readonly Clause[],
): Clause {
  if (efSearch === null)
    return {
      script_score: {
        query: { bool: { filter: [...filter, { exists: { field: 'vector' } }] } },
        script: {
          source: 'knn_score',
          lang: 'knn',
          params: { field: 'vector', query_value: [...vector], space_type: 'cosinesimil' },
        },
      },
    }
  return {
    knn: {
      vector: {
        vector: [...vector],
        k: depth,
        method_parameters: { ef_search: Math.max(efSearch, depth) },
        ...(filter.length > 0 && { filter: { bool: { filter } } }),
      },
    },
  }
}

/** Search by both, fused by the plugin neural-search. A shard gives `depth` documents of each side. */
const hybridRequest = (sides: readonly Clause[], depth: number, fusion: EngineFusion) => ({
  query: { hybrid: { queries: sides, pagination_depth: depth } },
  search_pipeline: {
    phase_results_processors: [
      fusion.fusion === 'rrf'
        ? { 'score-ranker-processor': { combination: { technique: 'rrf', rank_constant: fusion.rrfK } } }
        : {
            'normalization-processor': {
              normalization: { technique: 'min_max' },
              combination: {
                technique: 'arithmetic_mean',
                parameters: { weights: sides.length === 1 ? [1] : [1 - fusion.alpha, fusion.alpha] },
              },
            },
          },
    ],
  },
})

/** One document of an index. */
type Loaded = { readonly row: number; readonly text?: string; readonly vector?: readonly number[] }

interface IndexDefinition<Q> {
  readonly name: string
  readonly params: Shape & Partial<Analysis & Graph>
  readonly inputs: Partial<Sides>
  /** Body of a search; `filter` holds clauses that every result must match. */
  requestOf(query: Q, depth: number, how: Json, filter: readonly Clause[]): { readonly query: Clause }
  scoreOf(score: number): number
  /** True if the engine fuses the search: it then takes no other order of hits. */
  readonly isHybrid?: boolean
}

/** OpenSearch's own limit of the ids in a filter. */
const TERMS = 65_536

function openSearchIndex<Q>({
  name,
  params,
  inputs,
  requestOf,
  scoreOf,
  isHybrid = false,
}: IndexDefinition<Q>): Artifact<EngineIndex<Q>> {
  const { shards, replicas, analyzer, k1, b, graph } = params
  const bodyOf = (rows: number, dims: number | undefined) => ({
    settings: {
      index: {
        ...(analyzer !== undefined && { similarity: { bm25: { type: 'BM25', k1, b } } }),
        ...(dims !== undefined && { knn: graph !== null }),
        number_of_shards: shards,
        number_of_replicas: replicas,
        refresh_interval: '-1',
        max_terms_count: Math.max(TERMS, rows),
      },
    },
    mappings: {
      dynamic: 'strict',
      _meta: { touchstone: true },
      properties: {
        row: { type: 'integer' },
        ...(analyzer !== undefined && { text: { type: 'text', analyzer, similarity: 'bm25' } }),
        ...(dims !== undefined && { vector: { type: 'knn_vector', dimension: dims, ...methodOf(graph) } }),
      },
    },
  })
  return loadedIndex<never, Q, OpenSearch, Content>(server, {
    name,
    params,
    inputs: inputs as never,
    async contentOf(lazy) {
      const opened = lazy as Partial<Lazy<{ [K in keyof Sides]: Sides[K] }>>
      const texts = await opened.texts?.()
      const embeddings = await opened.embeddings?.()
      const vectors = embeddings && vectorsOf(embeddings)
      return {
        rows: texts?.length ?? vectors?.rows ?? 0,
        dims: vectors?.dims,
        *batches() {
          const batches = texts ? batchesOf([...texts.keys()]) : (vectors?.batches() ?? [])
          for (const batch of batches)
            yield batch.map((row): Loaded => {
              const vector = vectors?.vector(row)
              const isZero = vector?.every((value) => value === 0)
              return { row, ...(texts && { text: texts[row] }), ...(vector && !isZero && { vector }) }
            })
        },
      }
    },
    async fill({ client, search }, index, { rows, dims, batches }, state, progress) {
      if (!state)
        await ask(() => client.indices.create({ index, body: bodyOf(rows, dims) as never })).catch(
          (error) => {
            // Another machine prepares the same index: both write the same documents.
            if (!(error instanceof Refused && error.message.includes('resource_already_exists'))) throw error
          },
        )
      if (isHybrid)
        await search(index, hybridRequest([{ match_all: {} }], 1, { fusion: 'rrf', rrfK: 60 }), 1).catch(
          (error) => {
            if (error instanceof UserError) throw error
            throw new UserError(
              `this needs OpenSearch 2.19 or newer with the plugin neural-search: ${error.message}`,
            )
          },
        )
      let done = 0
      for (const batch of batches()) {
        progress(done)
        if (!state || !(await holds(client, index, batch))) await bulk(client, index, batch)
        done += batch.length
      }
      await ask(() => client.indices.refresh({ index }))
    },
    async search({ search }, index, query, depth, how, kept) {
      const request = requestOf(query, depth, how, kept ? [{ terms: { row: kept } }] : [])
      // The order of ties is that of the built-in search.
      const order = isHybrid ? { docvalue_fields: ['row'] } : { sort: [{ _score: 'desc' }, { row: 'desc' }] }
      const { hits, took } = await search(index, { ...request, ...order }, depth)
      return {
        rows: hits.map(({ sort, fields }) => numberIn(sort ? sort[1] : fields?.row[0])),
        scores: hits.map(({ sort, _score }) => scoreOf(numberIn(sort ? sort[0] : _score))),
        took,
      }
    },
  })
}

interface Content {
  /** Number of documents. */
  readonly rows: number
  /** Dimensions of the vectors; undefined if the index has none. */
  readonly dims: number | undefined
  batches(): Iterable<readonly Loaded[]>
}

function methodOf(graph: Graph['graph'] | undefined) {
  if (!graph) return {}
  const parameters = { m: graph.m, ef_construction: EF_CONSTRUCTION }
  return { method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil', parameters } }
}

/** True if the index holds all documents of a batch: those of a load that was cut off. */
async function holds(
  client: OpenSearch['client'],
  index: string,
  batch: readonly Loaded[],
): Promise<boolean> {
  const ids = batch.map(({ row }) => String(row))
  const { body } = await ask(() => client.mget({ index, body: { ids }, _source: false }))
  return body.docs.every((document) => 'found' in document && document.found === true)
}

/** Bytes after which a bulk request is sent. */
const BULK_BYTES = 8 << 20

/** Sends documents in requests of some megabytes. Throws a UserError with the engine's words if one is refused. */
async function bulk(client: OpenSearch['client'], index: string, batch: readonly Loaded[]): Promise<void> {
  let lines: string[] = []
  let bytes = 0
  const flush = async () => {
    if (lines.length === 0) return
    const body = `${lines.join('\n')}\n`
    await ask(async () => {
      const { body: answer } = await client.bulk({ index, body: body as never })
      const failed = answer.items.map((item) => item.index).find((item) => item?.error)
      if (failed) throw responseError(failed.status, failed.error)
    })
    lines = []
    bytes = 0
  }
  for (const document of batch) {
    const text = JSON.stringify(document)
    lines.push(JSON.stringify({ index: { _id: String(document.row) } }), text)
    bytes += text.length
    if (bytes > BULK_BYTES) await flush()
  }
  await flush()
}
