import type { Embeddings } from '../../corpus/dense/embeddings.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import type { Artifact, Inputs, Lazy } from '../../store/artifact.ts'
import type { Json } from '../../types.ts'
import { batchesOf, engineRows } from '../client.ts'
import type { BothSides, EngineFusion, EngineIndex } from '../define.ts'
import { numberIn, rankFound } from '../found.ts'
import { engineIndex } from '../stored.ts'
import { ask, type Client, countIn, openClient, Refused, versionOf, withClient } from './client.ts'
import { type Clause, cosine, exactQuery, graphQuery, hybridQuery, searched, wordsQuery } from './search.ts'

/**
 * Indexes of one corpus in OpenSearch, each named by the key of its content. A document's id is the chunk's row, so that a
 * load that was cut off goes on where it ended. The mapping's `_meta` marks an index as Touchstone's and as complete.
 *
 *     lexical   score = BM25 of Lucene (k1, b as given), statistics of all shards (dfs_query_then_fetch)
 *     dense     score = cosine; `knn_score` over all rows, or Lucene's HNSW
 */

type Shape = { readonly shards: number; readonly replicas: number }
type Graph = { readonly m: number; readonly efConstruction: number }

/** Index of the chunks' texts. */
export function openSearchTexts(
  texts: Artifact<readonly string[]>,
  urlEnv: string,
  {
    analyzer,
    k1,
    b,
    ...shape
  }: Shape & { readonly analyzer: string; readonly k1: number; readonly b: number },
): Artifact<EngineIndex<string>> {
  return openSearchIndex({
    ...{ name: 'opensearch-text', urlEnv, params: { analyzer, k1, b }, shape },
    inputs: { texts },
    async contentOf({ texts }) {
      const all = await texts()
      return {
        rows: all.length,
        mapping: textMapping(analyzer),
        settings: textSettings(k1, b),
        *batches() {
          for (let row = 0; row < all.length; row += BATCH)
            yield all.slice(row, row + BATCH).map((text, i): Loaded => ({ row: row + i, text }))
        },
      }
    },
    asking: (text, _depth, _how, filter) => wordsQuery(text, filter),
    cosineOf: (score) => score,
  })
}

/** Index of the chunks' vectors. `graph`: its HNSW graph; null to compare every row. */
export function openSearchVectors(
  embeddings: Artifact<Embeddings>,
  urlEnv: string,
  { graph, ...shape }: Shape & { readonly graph: Graph | null },
): Artifact<EngineIndex<Float32Array>> {
  return openSearchIndex({
    ...{ name: 'opensearch', urlEnv, params: { graph }, shape },
    inputs: { embeddings },
    async contentOf({ embeddings }) {
      const rows = engineRows(await embeddings())
      const batches = function* () {
        for (const batch of batchesOf(rows))
          yield batch.map((row): Loaded => ({ row, vector: [...rows.vector(row)] }))
      }
      return {
        rows: [...batchesOf(rows)].reduce((sum, batch) => sum + batch.length, 0),
        mapping: vectorMapping(rows.dims, graph),
        settings: { knn: graph !== null },
        batches,
      }
    },
    asking: (vector, depth, how, filter) =>
      graph ? graphQuery(vector, depth, how, filter) : exactQuery(vector, filter),
    cosineOf: cosine,
  })
}

/** Index of texts and vectors together, searched by both at once. */
export function openSearchBoth(
  inputs: { readonly texts: Artifact<readonly string[]>; readonly embeddings: Artifact<Embeddings> },
  urlEnv: string,
  {
    graph,
    analyzer,
    k1,
    b,
    ...shape
  }: Shape & { graph: Graph | null; analyzer: string; k1: number; b: number },
): Artifact<EngineIndex<BothSides>> {
  return openSearchIndex({
    ...{ name: 'opensearch-hybrid', urlEnv, params: { graph, analyzer, k1, b }, shape, inputs },
    unsorted: true,
    needs: {
      what: 'OpenSearch 2.19 or newer with the plugin neural-search',
      request: hybridQuery([{ match_all: {} }], 1, { fusion: 'rrf', rrfK: 60 }),
    },
    async contentOf({ texts, embeddings }) {
      const [all, rows] = [await texts(), engineRows(await embeddings())]
      return {
        rows: all.length,
        mapping: { ...textMapping(analyzer), ...vectorMapping(rows.dims, graph) },
        settings: { ...textSettings(k1, b), knn: graph !== null },
        *batches() {
          for (let row = 0; row < all.length; row += BATCH)
            yield all.slice(row, row + BATCH).map((text, i): Loaded => {
              const vector = rows.vector(row + i)
              return { row: row + i, text, ...(!isZero(vector) && { vector: [...vector] }) }
            })
        },
      }
    },
    asking({ text, vector }, depth, how, filter) {
      const { fusion, graph: search } = how as { fusion: EngineFusion; graph: Json }
      const near = graph ? graphQuery(vector, depth, search, filter) : exactQuery(vector, filter)
      const words = wordsQuery(text, filter)
      return hybridQuery([words.query, ...(isZero(vector) ? [] : [near.query])], depth, fusion)
    },
    cosineOf: (score) => score,
  })
}

const isZero = (vector: Float32Array) => vector.every((value) => value === 0)

const textMapping = (analyzer: string) => ({ text: { type: 'text', analyzer, similarity: 'bm25' } })
const textSettings = (k1: number, b: number) => ({ similarity: { bm25: { type: 'BM25', k1, b } } })

function vectorMapping(dimension: number, graph: Graph | null) {
  const method = graph && {
    ...{ name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
    parameters: { m: graph.m, ef_construction: graph.efConstruction },
  }
  return { vector: { type: 'knn_vector', dimension, ...(method && { method }) } }
}

/** One document of an index. */
type Loaded = { readonly row: number; readonly text?: string; readonly vector?: readonly number[] }

interface Content {
  /** Number of documents. */
  readonly rows: number
  readonly mapping: Readonly<Record<string, Json>>
  readonly settings: Readonly<Record<string, Json>>
  batches(): Iterable<readonly Loaded[]>
}

interface IndexDefinition<I extends Inputs, Q> {
  readonly name: string
  readonly urlEnv: string
  readonly params: Json
  readonly shape: Shape
  readonly inputs: I
  contentOf(inputs: Lazy<I>): Promise<Content>
  /** Body of a search; `filter` holds clauses that every result must match. */
  asking(query: Q, depth: number, how: Json, filter: readonly Clause[]): { readonly query: Clause }
  cosineOf(score: number): number
  /** True if the engine orders the hits itself: its fusion takes no other order. */
  readonly unsorted?: boolean
  /** A search that a server must understand before anything is loaded. */
  readonly needs?: Needs
}

interface Needs {
  /** Server that understands it. */
  readonly what: string
  readonly request: Readonly<Record<string, unknown>>
}

/** Documents per bulk request, and bytes after which one is sent. */
const BATCH = 1000
const BULK_BYTES = 8 << 20
/** OpenSearch's own limit of the ids in a filter. */
const TERMS = 65_536

function openSearchIndex<I extends Inputs, Q>({
  name,
  urlEnv,
  params,
  shape,
  inputs,
  contentOf,
  asking,
  cosineOf,
  unsorted = false,
  needs,
}: IndexDefinition<I, Q>): Artifact<EngineIndex<Q>> {
  return engineIndex<I, Q>({
    ...{
      name,
      kind: 'opensearch',
      place: { urlEnv },
      params: { ...(params as object), ...shape } as Json,
      inputs,
    },
    async load(index, lazy, progress) {
      const content = await contentOf(lazy)
      return withClient(urlEnv, async (client) => {
        await load(client, urlEnv, index, content, shape, needs, (done) => progress(done, content.rows))
        return content.rows
      })
    },
    version: () => versionOf(urlEnv),
    isGone: (index) =>
      withClient(urlEnv, async (client) => (await markerOf(client, urlEnv, index)) === undefined),
    async open(index, rows) {
      const client = await openIndex(urlEnv, index, rows as number)
      return {
        async search(query, depth, how, within?: Mask) {
          const body = asking(query, depth, how, within ? [{ terms: { row: [...within.rows] } }] : [])
          // The order of ties is that of the built-in search.
          const sort = [{ _score: 'desc' }, { row: 'desc' }]
          const order = unsorted ? { docvalue_fields: ['row'] } : { sort }
          const { hits, took } = await searched(client, urlEnv, index, { ...body, ...order }, depth)
          const rows = hits.map(({ sort, fields }) => numberIn(sort ? sort[1] : fields?.row[0]))
          const scores = hits.map(({ sort, _score }) => cosineOf(numberIn(sort ? sort[0] : _score)))
          return {
            ...rankFound(`the server in ${urlEnv}, in the index ${index},`, rows, scores, depth, within),
            took,
          }
        },
        close: () => client.close(),
      }
    },
  })
}

/** Removes an index of Touchstone's; nothing if there is no such index. */
export async function removeIndex(urlEnv: string, index: string): Promise<void> {
  await withClient(urlEnv, async (client) => {
    const marker = await markerOf(client, urlEnv, index)
    if (marker === undefined) return
    if (marker === null) throw new UserError(notOurs(urlEnv, index))
    await ask(urlEnv, () => client.indices.delete({ index }))
  })
}

const notOurs = (urlEnv: string, index: string) =>
  `the server in ${urlEnv} holds an index ${index} that is not Touchstone's; rename it`

interface Marker {
  readonly complete: boolean
  readonly rows: number
}

/** Marker of an index; undefined if there is no such index, null if it is not Touchstone's. */
async function markerOf(client: Client, urlEnv: string, index: string): Promise<Marker | null | undefined> {
  try {
    const { body } = await ask(urlEnv, () => client.indices.getMapping({ index }))
    const meta = body[index]?.mappings?._meta as { touchstone?: Marker } | undefined
    return meta?.touchstone ?? null
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Loads the content into the index; a complete index is reused, an incomplete one completed. */
async function load(
  client: Client,
  urlEnv: string,
  index: string,
  { rows, mapping, settings, batches }: Content,
  { shards, replicas }: Shape,
  needs: Needs | undefined,
  progress: (done: number) => void,
): Promise<void> {
  const request = <T>(send: () => Promise<T>) => ask(urlEnv, send)
  const found = await markerOf(client, urlEnv, index)
  if (found === null) throw new UserError(notOurs(urlEnv, index))
  if (found?.complete && (await countIn(client, urlEnv, index)) === rows) return
  if (!found)
    await request(() =>
      client.indices.create({
        index,
        body: {
          settings: {
            index: {
              ...settings,
              ...{ number_of_shards: shards, number_of_replicas: replicas, refresh_interval: '-1' },
              max_terms_count: Math.max(TERMS, rows),
            },
          },
          mappings: {
            ...{ dynamic: 'strict', _meta: { touchstone: { complete: false, rows } } },
            properties: { row: { type: 'integer' }, ...mapping },
          },
        } as never,
      }),
    ).catch((error) => {
      // Another machine prepares the same index: both write the same documents.
      if (!(error instanceof Refused && error.message.includes('resource_already_exists'))) throw error
    })
  if (needs)
    await searched(client, urlEnv, index, needs.request, 1).catch((error) => {
      if (error instanceof UserError) throw error
      throw new UserError(`this needs ${needs.what}: ${error.message}`)
    })
  let done = 0
  for (const batch of batches()) {
    progress(done)
    if (!found || !(await holds(client, urlEnv, index, batch))) await bulk(client, urlEnv, index, batch)
    done += batch.length
  }
  await request(() => client.indices.refresh({ index }))
  const there = await countIn(client, urlEnv, index)
  if (there !== rows)
    throw new UserError(
      `the server in ${urlEnv} holds ${there} of ${rows} documents in ${index} after loading; prepare again`,
    )
  await request(() =>
    client.indices.putMapping({ index, body: { _meta: { touchstone: { complete: true, rows } } } }),
  )
}

/** True if the index holds all documents of a batch: those of a load that was cut off. */
async function holds(
  client: Client,
  urlEnv: string,
  index: string,
  batch: readonly Loaded[],
): Promise<boolean> {
  const ids = batch.map(({ row }) => String(row))
  const { body } = await ask(urlEnv, () => client.mget({ index, body: { ids }, _source: false }))
  return body.docs.every((found) => 'found' in found && found.found === true)
}

/** Sends documents in requests of some megabytes. Throws a UserError with the engine's words if one is refused. */
async function bulk(client: Client, urlEnv: string, index: string, batch: readonly Loaded[]): Promise<void> {
  let lines: string[] = []
  let bytes = 0
  const flush = async () => {
    if (lines.length === 0) return
    const body = `${lines.join('\n')}\n`
    await ask(urlEnv, async () => {
      const { body: answer } = await client.bulk({ index, body: body as never })
      const failed = answer.items.map((item) => item.index).find((item) => item?.error)
      if (!failed) return
      // Thrown as the client does for a whole response, so that a full queue is waited for.
      throw Object.assign(new Error('bulk'), {
        name: 'ResponseError',
        meta: { statusCode: failed.status, body: { error: failed.error } },
      })
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

/** Opens a prepared index. Throws a UserError if the server no longer holds it as it was prepared. */
async function openIndex(urlEnv: string, index: string, rows: number): Promise<Client> {
  const client = await openClient(urlEnv)
  const marker = await markerOf(client, urlEnv, index)
  const there = marker ? await countIn(client, urlEnv, index) : 0
  if (marker?.complete && marker.rows === rows && there === rows) return client
  await client.close()
  const found = marker === undefined ? 'no such index' : `${there} documents`
  throw new UserError(
    `the server in ${urlEnv} does not hold the index ${index} as it was prepared (${rows} documents, found ${found}); delete the index, and prepare again`,
  )
}
