import { z } from 'zod'
import { type Collections, collectionsVersion, removeCollection, vectorCollection } from '../collections.ts'
import { checkRecall, defineEngine, urlEnv } from '../define.ts'
import { numberIn } from '../found.ts'
import { openClient } from './client.ts'

const shape = {
  urlEnv: urlEnv('TOUCHSTONE_CHROMA'),
  m: z.int().min(2).max(100).default(16).describe('edges of a node'),
  efConstruction: z.int().min(4).max(1000).default(100).describe('candidates at build time'),
  efSearch: z.int().min(1).max(10_000).default(100).describe('candidates of a search'),
  checkRecall,
}

/** Chroma: dense search by its HNSW graph, by the official client. */
export const chroma = defineEngine({
  name: 'chroma',
  summary: 'Chroma: dense search by its HNSW graph',
  source: 'Chroma 1.5; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject(shape),
  dense(recipe, { urlEnv, m, efConstruction, efSearch }) {
    const collection = {
      ...{ kind: 'chroma', place: { urlEnv }, who: `the server in ${urlEnv}` },
      // The number of candidates is a setting of the collection.
      params: { m, efConstruction, efSearch },
      connect: () =>
        connect(urlEnv, { ef_search: efSearch, ef_construction: efConstruction, max_neighbors: m }),
    }
    return { index: vectorCollection(recipe, collection), how: null }
  },
  version: ({ urlEnv }) => collectionsVersion(() => connect(urlEnv)),
  remove: ({ urlEnv }, name) => removeCollection(() => connect(urlEnv), `the server in ${urlEnv}`, name),
})

/** Points per request. */
const POINTS = 500
const MARKER = { touchstone: 'own' }

/** `graph`: settings of the collections that are created. */
async function connect(urlEnv: string, graph: Readonly<Record<string, number>> = {}): Promise<Collections> {
  const { client, ask, open } = await openClient(urlEnv)
  const searched = new Map<string, ReturnType<typeof open>>()
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
      const hnsw = { space: 'cosine', ...graph }
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
      const opening = searched.get(name) ?? open(name)
      searched.set(name, opening)
      const collection = await opening
      const { ids, distances } = await ask(() =>
        collection.query({
          ...{ queryEmbeddings: [[...vector]], nResults: depth, include: ['distances'] },
          ...(rows && { ids: rows.map(String) }),
        }),
      )
      return { rows: ids[0].map(Number), cosines: distances[0].map((distance) => 1 - numberIn(distance)) }
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
