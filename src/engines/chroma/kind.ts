import { z } from 'zod'
import { addressIn, askServer, type Failed, networkCode, PAUSES } from '../ask.ts'
import { clientOf } from '../client.ts'
import { type Collections, removeCollection, vectorCollection } from '../collections.ts'
import { checkRecall, defineEngine, urlEnv } from '../define.ts'
import type * as Chroma from './client.ts'

/** Chroma: dense search by its HNSW graph, by the official client. */
export const chroma = defineEngine({
  name: 'chroma',
  summary: 'Chroma: dense search by its HNSW graph',
  source: 'Chroma 1.5; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject({
    urlEnv: urlEnv('TOUCHSTONE_CHROMA'),
    m: z.int().min(2).max(100).default(16).describe('edges of a node'),
    efConstruction: z.int().min(4).max(1000).default(100).describe('candidates while the graph is built'),
    efSearch: z.int().min(1).max(10_000).default(100).describe('candidates of a search'),
    checkRecall,
  }),
  dense(recipe, { urlEnv, m, efConstruction, efSearch }) {
    const collection = {
      ...{ kind: 'chroma', place: { urlEnv }, who: `the server in ${urlEnv}` },
      // The number of candidates is a setting of the collection.
      params: { m, efConstruction, efSearch },
      connect: () => connect(urlEnv, { m, efConstruction, efSearch }),
    }
    return { index: vectorCollection(recipe, collection), how: null }
  },
  remove: ({ urlEnv }, name) =>
    removeCollection(
      () => connect(urlEnv, { m: 16, efConstruction: 100, efSearch: 100 }),
      `the server in ${urlEnv}`,
      name,
    ),
})

const VERSION = '3.5.0'
/** Points per request. */
const POINTS = 500
const MARKER = { touchstone: 'own' }

async function connect(
  urlEnv: string,
  { m, efConstruction, efSearch }: { m: number; efConstruction: number; efSearch: number },
): Promise<Collections> {
  const { protocol, hostname, port, password } = addressIn(urlEnv, 'chroma', 'http://:TOKEN@host:8000')
  const { ChromaClient } = await clientOf<Chroma.Package>('chromadb', VERSION)
  const client = new ChromaClient({
    ...{ host: hostname, ssl: protocol === 'https:' },
    port: Number(port || (protocol === 'https:' ? 443 : 8000)),
    ...(password && { headers: { 'x-chroma-token': decodeURIComponent(password) } }),
  })
  const ask = <T>(request: () => Promise<T>, pauses = PAUSES) => askServer(urlEnv, request, failureOf, pauses)
  await ask(() => client.heartbeat(), PAUSES.slice(0, 2))
  const open = (name: string) => ask(() => client.getCollection({ name, embeddingFunction: null }))

  return {
    async state(name) {
      const collection = await ask(() =>
        client.getCollection({ name, embeddingFunction: null }).catch(noneIfMissing),
      )
      if (!collection) return undefined
      const rows = await ask(() => collection.count())
      return { own: collection.metadata?.touchstone === MARKER.touchstone, rows }
    },
    async create(name) {
      const hnsw = {
        ...{ space: 'cosine', ef_search: efSearch, ef_construction: efConstruction, max_neighbors: m },
      } as const
      await ask(() =>
        client.createCollection({ name, embeddingFunction: null, metadata: MARKER, configuration: { hnsw } }),
      )
    },
    async upsert(name, points) {
      const collection = await open(name)
      for (let begin = 0; begin < points.length; begin += POINTS) {
        const some = points.slice(begin, begin + POINTS)
        const ids = some.map(({ row }) => String(row))
        await ask(() => collection.upsert({ ids, embeddings: some.map(({ vector }) => [...vector]) }))
      }
    },
    settle: async () => {},
    async nearest(name, vector, depth, _how, rows) {
      const collection = await open(name)
      const { ids, distances } = await ask(() =>
        collection.query({
          ...{ queryEmbeddings: [[...vector]], nResults: depth, include: ['distances'] },
          ...(rows && { ids: rows.map(String) }),
        }),
      )
      return { rows: ids[0].map(Number), cosines: distances[0].map((distance) => 1 - distance) }
    },
    async remove(name) {
      await ask(() => client.deleteCollection({ name }))
    },
    version: () => ask(() => client.version()),
    close: async () => {},
  }
}

function noneIfMissing(error: unknown): undefined {
  if ((error as Error).name === 'ChromaNotFoundError') return undefined
  throw error
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

/** An error of the client; undefined for a bug. */
function failureOf(error: unknown): Failed | undefined {
  const { name, message } = error as Error
  if (name === 'ChromaConnectionError') return { words: 'ECONNREFUSED or cut' }
  // The client's messages of a bad request hold the address.
  if (name in STATUS)
    return { status: STATUS[name], words: message.replace(/https?:\S+/g, 'the server').slice(0, 300) }
  const code = networkCode(error)
  return code === undefined ? undefined : { words: code }
}
