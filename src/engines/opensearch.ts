import type { Client } from '@opensearch-project/opensearch'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Connection, EngineBm25, IndexState, Server } from './index.ts'
import { type Content, defineEngine, numberIn } from './loaded.ts'
import { askServer, clientOf, type Failed, PAUSES, Refused, urlIn } from './server.ts'

/**
 * Indexes of one corpus in OpenSearch, named by the key of their content. A document's id is the chunk's row, so a load
 * continues where it ended. The mapping's `_meta` marks an index as Touchstone's.
 *
 *     lexical   score = BM25 of Lucene (k1, b as given), statistics of all shards (dfs_query_then_fetch)
 *     dense     score = cosine; `knn_score` over all rows, or Lucene's HNSW
 */

const VARIABLE = 'TOUCHSTONE_OPENSEARCH'
const WHO = `the server in ${VARIABLE}`
const VERSION = '3.9.0'
/** Oldest version: its searches of a graph take `ef_search`. */
const [MAJOR, MINOR] = [2, 16]
/** Candidates when a graph is built: OpenSearch's default. */
const EF_CONSTRUCTION = 100
/** OpenSearch's own limit of the ids in a filter. */
const TERMS = 65_536
/** Bytes after which a bulk request is sent. */
const BULK_BYTES = 8 << 20

type Clause = Readonly<Record<string, unknown>>

interface OpenSearch extends Connection {
  readonly client: Client
}

const server: Server<OpenSearch> = {
  kind: 'opensearch',
  who: WHO,
  noun: 'index',
  async connect() {
    const node = urlIn(VARIABLE, 'opensearch', 'https://user:password@host:9200').href
    const { Client } = await clientOf<typeof import('@opensearch-project/opensearch')>(
      '@opensearch-project/opensearch',
      VERSION,
    )
    const client = new Client({ node, maxRetries: 0, requestTimeout: 60_000 })
    try {
      // A wrong address is reported at once; a server that answered before is waited for.
      const { body } = await ask(() => client.info(), PAUSES.slice(0, 2))
      requireVersion(body.version)
    } catch (error) {
      await client.close()
      throw error
    }
    return {
      client,
      version: async () => (await ask(() => client.info())).body.version.number,
      state: (index) => stateOf(client, index),
      async remove(index) {
        await ask(() => client.indices.delete({ index }))
      },
      close: () => client.close(),
    }
  },
}

const params = z.strictObject({
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
})
type Params = z.output<typeof params>

export default defineEngine({
  name: 'opensearch',
  summary: "OpenSearch: Lucene's BM25 with one of its analyzers; dense search exact or by Lucene's HNSW",
  source: 'OpenSearch 2.19; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params,
  server,
  dense: {
    built: ({ shards, replicas, index, m }) => ({ shards, replicas, graph: index === 'hnsw' ? { m } : null }),
    fill({ client }, name, vectors, params, state, progress) {
      const { index, m } = params
      const isGraph = index === 'hnsw'
      const parameters = { m, ef_construction: EF_CONSTRUCTION }
      const graph = { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil', parameters }
      const vector = { type: 'knn_vector', dimension: vectors.dims, ...(isGraph && { method: graph }) }
      const shape = shapeOf(params, vectors.rows, { vector }, { knn: isGraph })
      return fill(client, name, shape, vectors, state, progress)
    },
    async search({ client }, index, vector, depth, params, allowed) {
      const query = vectorQuery(vector, depth, params, allowed ? [{ terms: { row: allowed } }] : [])
      const { rows, scores, took } = await search(client, index, query, depth)
      // The score is (1 + cosine) / 2, since OpenSearch never lets a score be negative.
      return { rows, scores: scores.map((score) => 2 * score - 1), took }
    },
  },
  lexical: {
    built: ({ shards, replicas, analyzer, k1, b }) => ({ shards, replicas, analyzer, k1, b }),
    fill({ client }, name, texts, params: Params & EngineBm25, state, progress) {
      const { analyzer, k1, b } = params
      const similarity = { bm25: { type: 'BM25', k1, b } }
      const text = { type: 'text', analyzer, similarity: 'bm25' }
      const shape = shapeOf(params, texts.rows, { text }, { similarity })
      return fill(client, name, shape, texts, state, progress)
    },
    search({ client }, index, text, depth, _params, allowed) {
      const must = [{ match: { text: { query: text } } }]
      return search(
        client,
        index,
        { bool: { must, filter: allowed ? [{ terms: { row: allowed } }] : [] } },
        depth,
      )
    },
  },
})

function vectorQuery(vector: Float32Array, depth: number, { index, efSearch }: Params, filter: Clause[]) {
  if (index === 'exact')
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
  const among = filter.length > 0 && { filter: { bool: { filter } } }
  const method_parameters = { ef_search: Math.max(efSearch, depth) }
  return { knn: { vector: { vector: [...vector], k: depth, method_parameters, ...among } } }
}

function shapeOf({ shards, replicas }: Params, rows: number, field: Clause, settings: Clause) {
  return {
    settings: {
      index: {
        ...settings,
        number_of_shards: shards,
        number_of_replicas: replicas,
        refresh_interval: '-1',
        max_terms_count: Math.max(TERMS, rows),
      },
    },
    mappings: {
      dynamic: 'strict',
      _meta: { touchstone: true },
      properties: { row: { type: 'integer' }, ...field },
    },
  }
}

async function fill(
  client: Client,
  index: string,
  shape: ReturnType<typeof shapeOf>,
  { batches, value }: Content<unknown>,
  state: IndexState | undefined,
  progress: (done: number) => void,
): Promise<void> {
  if (!state)
    await ask(() => client.indices.create({ index, body: shape as never })).catch((error) => {
      // Another machine prepares the same index: both write the same documents.
      if (!(error instanceof Refused && error.message.includes('resource_already_exists'))) throw error
    })
  const field = 'text' in shape.mappings.properties ? 'text' : 'vector'
  let done = 0
  for (const batch of batches()) {
    progress(done)
    const documents = batch.map((row) => ({ row, [field]: value(row) }))
    if (!state || !(await holds(client, index, batch))) await bulk(client, index, documents)
    done += batch.length
  }
  await ask(() => client.indices.refresh({ index }))
}

/** True if the index holds all documents of a batch: those of a load that was cut off. */
async function holds(client: Client, index: string, batch: readonly number[]): Promise<boolean> {
  const { body } = await ask(() => client.mget({ index, body: { ids: batch.map(String) }, _source: false }))
  return body.docs.every((document) => 'found' in document && document.found === true)
}

/** Sends documents in requests of some megabytes. Throws a UserError with the engine's words if one is refused. */
async function bulk(client: Client, index: string, documents: readonly { row: number }[]): Promise<void> {
  let body = ''
  for (const [at, document] of documents.entries()) {
    body += `{"index":{"_id":"${document.row}"}}\n${JSON.stringify(document)}\n`
    if (body.length < BULK_BYTES && at < documents.length - 1) continue
    await ask(async () => {
      const { body: answer } = await client.bulk({ index, body: body as never })
      const failed = answer.items.map((item) => item.index).find((item) => item?.error)
      if (failed) throw responseError(failed.status, failed.error)
    })
    body = ''
  }
}

/** Searches all shards. A part that is missing is an error, never a shorter ranking. */
async function search(client: Client, index: string, query: Clause, depth: number) {
  // The order of ties is that of the built-in search.
  const sort = [{ _score: 'desc' }, { row: 'desc' }]
  try {
    const { body } = await ask(() =>
      client.search({
        index,
        search_type: 'dfs_query_then_fetch',
        allow_partial_search_results: false,
        body: { query, sort, size: depth, _source: false, track_total_hits: false } as never,
      }),
    )
    const { failed, total } = body._shards
    if (body.timed_out || failed > 0)
      throw new UserError(`${WHO} searched only a part of ${index}: ${failed} of ${total} shards failed`)
    const hits = body.hits.hits.map(({ sort = [] }) => sort as readonly unknown[])
    return {
      rows: hits.map(([, row]) => numberIn(row)),
      scores: hits.map(([score]) => numberIn(score)),
      took: body.took,
    }
  } catch (error) {
    // A query that the engine cannot take, as one of too many words, is that query's failure.
    if (error instanceof Refused && error.status === 400) throw new Error(error.message)
    throw error
  }
}

function requireVersion(version: { distribution?: string; number?: string } = {}): void {
  const { distribution, number = '' } = version
  const [major, minor] = number.split('.').map(Number)
  if (distribution === 'opensearch' && (major > MAJOR || (major === MAJOR && minor >= MINOR))) return
  throw new UserError(
    `${WHO} is ${distribution ?? 'another server'} ${number}; this needs OpenSearch ${MAJOR}.${MINOR} or newer`,
  )
}

async function stateOf(client: Client, index: string): Promise<IndexState | undefined> {
  try {
    const { body } = await ask(() => client.indices.getMapping({ index }))
    const isOurs = body[index]?.mappings?._meta?.touchstone !== undefined
    return { isOurs, rows: isOurs ? await countIn(client, index) : 0 }
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Number of documents in an index. A shard that is missing is waited for, and then an error: a part is no count. */
function countIn(client: Client, index: string): Promise<number> {
  return ask(async () => {
    const { count, _shards } = (await client.count({ index })).body
    const missing = _shards.total - _shards.successful
    if (missing > 0)
      throw responseError(503, `${missing} of ${_shards.total} shards of ${index} do not answer`)
    return count
  })
}

/** An error as the client throws it, so that a busy server is waited for. */
const responseError = (statusCode: number, error: unknown) =>
  Object.assign(new Error('refused'), { name: 'ResponseError', meta: { statusCode, body: { error } } })

interface ClientError {
  readonly name: string
  readonly message: string
  readonly meta?: { readonly statusCode?: number; readonly body?: ErrorBody }
}

type ErrorBody = { readonly error?: { readonly type?: string; readonly reason?: string } | string }

const ask = <T>(request: () => Promise<T>, pauses = PAUSES): Promise<T> =>
  askServer(VARIABLE, request, failureOf, pauses)

function failureOf(error: unknown): Failed | undefined {
  const { name, message, meta } = error as ClientError
  const status = name === 'ResponseError' ? meta?.statusCode : undefined
  if (status !== undefined) {
    const words = wordsOf(meta?.body)
    // An index takes no writes, as on a full disk: waiting does not help. A cluster that starts (503) is another case.
    const final = status === 429 && words.startsWith('cluster_block_exception')
    return { status, words: words || message, final }
  }
  if (!/^(Connection|Timeout|NoLivingConnections)Error$/.test(name)) return undefined
  return { words: /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? name }
}

function wordsOf(body: ErrorBody | undefined): string {
  const error = body?.error
  if (typeof error === 'string') return error.slice(0, 300)
  const words = [error?.type, error?.reason].filter((word) => word !== undefined)
  return words.join(': ').slice(0, 300)
}
