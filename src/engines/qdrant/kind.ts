import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Refused } from '../ask.ts'
import { type Collections, collectionsVersion, removeCollection, vectorCollection } from '../collections.ts'
import { checkRecall, defineEngine, urlEnv } from '../define.ts'
import { existingShape, refuseBuilt } from '../existing.ts'
import { numberIn } from '../found.ts'
import { openClient } from './client.ts'
import { existingPoints } from './existing.ts'

const { textField: _, vectorField, ...existing } = existingShape('a collection', 'id')
const shape = {
  urlEnv: urlEnv('TOUCHSTONE_QDRANT'),
  index: z.enum(['exact', 'hnsw']).default('hnsw').describe('a graph; `exact` compares every vector'),
  m: z.int().min(2).max(100).default(16).describe('edges of a node; hnsw'),
  efConstruction: z.int().min(4).max(1000).default(100).describe('candidates at build time; hnsw'),
  efSearch: z.int().min(1).max(10_000).default(128).describe('candidates of a search; hnsw'),
  checkRecall,
  ...existing,
  vectorField: vectorField
    .unwrap()
    .optional()
    .describe('the name of the vector, if the points have several; `existing` only'),
}

/** Qdrant: dense search by its HNSW graph or exact, by the official client. */
export const qdrant = defineEngine({
  name: 'qdrant',
  summary: 'Qdrant: dense search by its HNSW graph, or exact',
  source: 'Qdrant 1.17; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject(shape).superRefine(refuseBuilt(shape, ['m', 'efConstruction'])),
  dense(recipe, { urlEnv, index, m, efConstruction, efSearch, existing, idField, vectorField }) {
    const how = index === 'exact' ? { exact: true } : { hnsw_ef: efSearch }
    if (existing !== undefined)
      return { index: existingPoints(recipe, urlEnv, { existing, idField, vectorField }), how }
    const collection = {
      ...{ kind: 'qdrant', place: { urlEnv }, params: { m, efConstruction }, who: `the server in ${urlEnv}` },
      connect: () => connect(urlEnv, { m, efConstruction }),
    }
    return { index: vectorCollection(recipe, collection), how }
  },
  version: ({ urlEnv }) => collectionsVersion(() => connect(urlEnv)),
  remove: ({ urlEnv }, name) => removeCollection(() => connect(urlEnv), `the server in ${urlEnv}`, name),
})

/** Milliseconds between two looks at a collection that is being indexed. */
const LOOK = 500
/** Points per request. */
const POINTS = 250

/** An alias marks a collection as Touchstone's: a collection has no metadata of its own in all versions. */
const markerOf = (name: string) => `${name}_own`

/** `graph`: of a collection that is created. */
async function connect(
  urlEnv: string,
  graph?: { readonly m: number; readonly efConstruction: number },
): Promise<Collections> {
  const { client, ask } = await openClient(urlEnv)
  return {
    async state(name) {
      try {
        const { aliases } = await ask(() => client.getCollectionAliases(name))
        const { count } = await ask(() => client.count(name, { exact: true }))
        const isMarked = aliases.some(({ alias_name }) => alias_name === markerOf(name))
        return { own: isMarked, rows: count, isCut: count === 0 && aliases.length === 0 }
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return undefined
        throw error
      }
    },
    async create(name, dims) {
      await ask(() =>
        client.createCollection(name, {
          vectors: { size: dims, distance: 'Cosine' },
          ...(graph && { hnsw_config: { m: graph.m, ef_construct: graph.efConstruction } }),
        }),
      ).catch((error) => {
        // A load that was cut off made it, another machine does, or a cut connection hid the answer.
        if (!(error instanceof Refused && /already exists/.test(error.message))) throw error
      })
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
        rows: points.map(({ id }) => numberIn(id)),
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
