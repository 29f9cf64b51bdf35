import { env } from 'node:process'
import { z } from 'zod'
import type { Connection, Server } from './index.ts'
import { defineEngine, numberIn } from './loaded.ts'
import { askServer, clientOf, type Failed, networkCode, PAUSES, urlIn } from './server.ts'

const VARIABLE = 'TOUCHSTONE_CHROMA'
const VERSION = '3.5.0'
const POINTS = 500
/** Candidates when the graph is built: Chroma's default. */
const EF_CONSTRUCTION = 100
const MARKER = { touchstone: 'own' }

export interface Package {
  readonly ChromaClient: new (options: {
    readonly host: string
    readonly port: number
    readonly ssl: boolean
    readonly headers?: Readonly<Record<string, string>>
  }) => Client
}

export interface Client {
  heartbeat(): Promise<number>
  version(): Promise<string>
  getCollection(options: { readonly name: string; readonly embeddingFunction: null }): Promise<Collection>
  createCollection(options: {
    readonly name: string
    readonly embeddingFunction: null
    readonly metadata: Readonly<Record<string, string>>
    readonly configuration: { readonly hnsw: Readonly<Record<string, string | number>> }
  }): Promise<Collection>
  deleteCollection(options: { readonly name: string }): Promise<void>
}

export interface Collection {
  readonly metadata?: Readonly<Record<string, unknown>> | null
  count(): Promise<number>
  upsert(points: { readonly ids: string[]; readonly embeddings: number[][] }): Promise<void>
  query(options: {
    readonly queryEmbeddings: number[][]
    readonly nResults: number
    readonly include: string[]
    readonly ids?: string[]
  }): Promise<{ readonly ids: string[][]; readonly distances: number[][] }>
}

interface ChromaConnection extends Connection {
  readonly client: Client
  ask<T>(request: () => Promise<T>): Promise<T>
  /** A collection, opened once per connection. */
  open(name: string): Promise<Collection>
}

const server: Server<ChromaConnection> = {
  kind: 'chroma',
  who: `the server in ${VARIABLE}`,
  noun: 'collection',
  async connect() {
    const url = urlIn(VARIABLE, 'chroma', 'http://:TOKEN@host:8000')
    const { ChromaClient } = await clientOf<Package>('chromadb', VERSION)
    const client = new ChromaClient({
      host: url.hostname,
      ssl: url.protocol === 'https:',
      port: portOf(url),
      ...(url.password && { headers: { 'x-chroma-token': decodeURIComponent(url.password) } }),
    })
    const ask = <T>(request: () => Promise<T>, pauses = PAUSES) =>
      askServer(VARIABLE, request, failureOf, pauses)
    // A wrong address is reported at once; a server that answered before is waited for.
    await ask(() => client.heartbeat(), PAUSES.slice(0, 2))
    const opened = new Map<string, Promise<Collection>>()
    const open = (name: string) => {
      const collection =
        opened.get(name) ?? ask(() => client.getCollection({ name, embeddingFunction: null }))
      opened.set(name, collection)
      return collection
    }
    return {
      client,
      ask,
      open,
      version: () => ask(() => client.version()),
      async state(name) {
        const collection = await ask(() =>
          client.getCollection({ name, embeddingFunction: null }).catch(noneIfMissing),
        )
        if (!collection) return undefined
        const isOurs = collection.metadata?.touchstone === MARKER.touchstone
        return { isOurs, rows: await ask(() => collection.count()) }
      },
      remove: (name) => ask(() => client.deleteCollection({ name })),
      close: async () => {},
    }
  },
}

/** Chroma: dense search by its HNSW graph, by the official client. A record's id is the row of its chunk. */
export default defineEngine({
  name: 'chroma',
  summary: 'Chroma: dense search by its HNSW graph',
  source: 'Chroma 1.5; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject({
    m: z.int().min(2).max(100).default(16).describe('edges of a node'),
    efSearch: z.int().min(1).max(10_000).default(100).describe('candidates of a search'),
  }),
  server,
  dense: {
    // The number of candidates is a setting of the collection.
    built: (params) => params,
    async fill({ client, ask, open }, name, { batches, value }, { m, efSearch }, state, progress) {
      const hnsw = {
        space: 'cosine',
        ef_search: efSearch,
        ef_construction: EF_CONSTRUCTION,
        max_neighbors: m,
      }
      const options = { name, embeddingFunction: null, metadata: MARKER, configuration: { hnsw } }
      if (!state) await ask(() => client.createCollection(options))
      const collection = await open(name)
      for (const batch of batches()) {
        progress(batch[0])
        for (let begin = 0; begin < batch.length; begin += POINTS) {
          const rows = batch.slice(begin, begin + POINTS)
          await ask(() => collection.upsert({ ids: rows.map(String), embeddings: rows.map(value) }))
        }
      }
    },
    async search({ ask, open }, name, query, depth, _params, allowed, rows) {
      const collection = await open(name)
      const all = Math.min(rows, allowed?.length ?? rows)
      // Asks for more while the last point may tie with one that is left out, so that ties at the cut break as in memory.
      for (let count = Math.min(depth, all) + 1; ; count *= 2) {
        const { ids, distances } = await ask(() =>
          collection.query({
            queryEmbeddings: [[...query]],
            nResults: Math.min(count, all),
            include: ['distances'],
            ...(allowed && { ids: allowed.map(String) }),
          }),
        )
        const scores = distances[0].map((distance) => 1 - numberIn(distance))
        const isCut = scores.length > depth && scores[depth - 1] === scores[scores.length - 1]
        if (!isCut || count >= all) return { rows: ids[0].map(Number), scores }
      }
    },
  },
})

/** Port of an address. A URL forgets the usual port of its protocol, even if it was written. */
function portOf({ protocol, port }: URL): number {
  if (port) return Number(port)
  if (protocol === 'https:') return 443
  return /^http:\/\/(?:[^/?#]*@)?[^/?#]*:80(?:[/?#]|$)/i.test(env[VARIABLE] ?? '') ? 80 : 8000
}

/** Status of the client's errors, which hold no number. */
const STATUS: Readonly<Record<string, number>> = {
  ChromaClientError: 400,
  ChromaUnauthorizedError: 401,
  ChromaForbiddenError: 403,
  ChromaNotFoundError: 404,
  ChromaUniqueError: 409,
  ChromaQuotaExceededError: 422,
  ChromaRateLimitError: 429,
  ChromaServerError: 503,
}

function failureOf(error: unknown): Failed | undefined {
  const { name, message } = error as Error
  if (name === 'ChromaConnectionError') return { words: 'ECONNREFUSED or cut' }
  // The client's messages of a bad request hold the address.
  if (name in STATUS)
    return { status: STATUS[name], words: message.replace(/https?:\S+/g, 'the server').slice(0, 300) }
  const code = networkCode(error)
  return code === undefined ? undefined : { words: code }
}

function noneIfMissing(error: unknown): undefined {
  if ((error as Error).name === 'ChromaNotFoundError') return undefined
  throw error
}
