import { setTimeout as sleep } from 'node:timers/promises'
import type { QdrantClient } from '@qdrant/js-client-rest'
import { z } from 'zod'
import type { Json } from '../../types.ts'
import { addressIn, askServer, type Failed, networkCode, PAUSES, Refused } from '../ask.ts'
import { clientOf } from '../client.ts'
import { type Collections, removeCollection, vectorCollection } from '../collections.ts'
import { checkRecall, defineEngine, urlEnv } from '../define.ts'

/** Qdrant: dense search by its HNSW graph or exact, by the official client. */
export const qdrant = defineEngine({
  name: 'qdrant',
  summary: 'Qdrant: dense search by its HNSW graph, or exact',
  source: 'Qdrant 1.17; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject({
    urlEnv: urlEnv('TOUCHSTONE_QDRANT'),
    index: z.enum(['exact', 'hnsw']).default('hnsw').describe('a graph; `exact` compares every vector'),
    m: z.int().min(2).max(100).default(16).describe('edges of a node; hnsw'),
    efConstruction: z.int().min(4).max(1000).default(100).describe('candidates while it is built; hnsw'),
    efSearch: z.int().min(1).max(10_000).default(128).describe('candidates of a search; hnsw'),
    checkRecall,
  }),
  dense(recipe, { urlEnv, index, m, efConstruction, efSearch }) {
    const collection = {
      ...{ kind: 'qdrant', place: { urlEnv }, params: { m, efConstruction }, who: `the server in ${urlEnv}` },
      connect: () => connect(urlEnv, { m, efConstruction }),
    }
    return {
      index: vectorCollection(recipe, collection),
      how: index === 'exact' ? { exact: true } : { hnsw_ef: efSearch },
    }
  },
  remove: ({ urlEnv }, name) =>
    removeCollection(() => connect(urlEnv, { m: 16, efConstruction: 100 }), `the server in ${urlEnv}`, name),
})

const VERSION = '1.17.0'
/** Milliseconds between two looks at a collection that is being indexed. */
const LOOK = 500
/** Points per request. */
const POINTS = 250

/** An alias marks a collection as Touchstone's: a collection has no metadata of its own in all versions. */
const markerOf = (name: string) => `${name}_own`

async function connect(
  urlEnv: string,
  { m, efConstruction }: { readonly m: number; readonly efConstruction: number },
): Promise<Collections> {
  const { protocol, hostname, port, pathname, password } = addressIn(
    urlEnv,
    'qdrant',
    'http://:API-KEY@host:6333',
  )
  const { QdrantClient } = await clientOf<typeof import('@qdrant/js-client-rest')>(
    '@qdrant/js-client-rest',
    VERSION,
  )
  const client: QdrantClient = new QdrantClient({
    ...{ url: `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 6333)}` },
    ...(pathname !== '/' && { prefix: pathname }),
    ...(password && { headers: { 'api-key': decodeURIComponent(password) } }),
    ...{ checkCompatibility: false, timeout: 60_000 },
  })
  const ask = <T>(request: () => Promise<T>, pauses = PAUSES) => askServer(urlEnv, request, failureOf, pauses)
  // A wrong address is said at once; a server that answered before is waited for.
  await ask(() => client.versionInfo(), PAUSES.slice(0, 2))

  return {
    async state(name) {
      try {
        const { aliases } = await ask(() => client.getCollectionAliases(name))
        const { count } = await ask(() => client.count(name, { exact: true }))
        return { own: aliases.some(({ alias_name }) => alias_name === markerOf(name)), rows: count }
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return undefined
        throw error
      }
    },
    async create(name, dims) {
      await ask(() =>
        client.createCollection(name, {
          vectors: { size: dims, distance: 'Cosine' },
          hnsw_config: { m, ef_construct: efConstruction },
        }),
      )
      const alias = { collection_name: name, alias_name: markerOf(name) }
      await ask(() => client.updateCollectionAliases({ actions: [{ create_alias: alias }] }))
    },
    async upsert(name, points) {
      for (let begin = 0; begin < points.length; begin += POINTS) {
        const some = points.slice(begin, begin + POINTS)
        const given = some.map(({ row, vector }) => ({ id: row, vector: [...vector] }))
        await ask(() => client.upsert(name, { wait: true, points: given }))
      }
    },
    async settle(name) {
      while ((await ask(() => client.getCollection(name))).status === 'yellow') await sleep(LOOK)
    },
    async nearest(name, vector, depth, how, rows) {
      const { data } = await ask(() =>
        client.api().queryPoints({
          ...{ collection_name: name, query: [...vector], limit: depth, with_payload: false },
          params: how as { exact?: boolean; hnsw_ef?: number },
          ...(rows && { filter: { must: [{ has_id: [...rows] }] } }),
        }),
      )
      const points = data.result?.points ?? []
      return {
        rows: points.map(({ id }) => Number(id)),
        cosines: points.map(({ score }) => score),
        took: data.time === undefined ? undefined : 1000 * data.time,
      }
    },
    async remove(name) {
      await ask(() => client.deleteCollection(name))
    },
    version: async () => (await ask(() => client.versionInfo())).version,
    close: async () => {},
  }
}

/** An error of the client; undefined for a bug. */
function failureOf(error: unknown): Failed | undefined {
  const { name, status, data } = error as { name?: string; status?: number; data?: { status?: Json } }
  if (typeof status === 'number') {
    const said = data?.status as { error?: string } | string | undefined
    const words = typeof said === 'object' ? said.error : said
    return { status, words: (words ?? 'no reason').slice(0, 300) }
  }
  if (name === 'QdrantClientResourceExhaustedError') return { status: 429, words: 'too many requests' }
  if (name === 'QdrantClientTimeoutError') return { words: 'TimeoutError' }
  const isNetwork = name === 'TypeError' && (error as Error).message === 'fetch failed'
  return isNetwork ? { words: networkCode(error) ?? 'no connection' } : undefined
}
