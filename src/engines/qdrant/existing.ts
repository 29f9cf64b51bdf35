import type { Recipe } from '../../corpus/recipe.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { EngineIndex } from '../define.ts'
import { dimsProblems, type ExistingFields, type ExistingIndex, existingIndex } from '../existing.ts'
import { openClient } from './client.ts'

type Fields = Pick<ExistingFields, 'existing' | 'idField'> & { readonly vectorField?: string | undefined }

/** A collection of Qdrant that was there before. It is read alone. `idField`: payload with the id of a chunk. */
export function existingPoints(
  recipe: Recipe,
  urlEnv: string,
  fields: Fields,
): Artifact<EngineIndex<Float32Array>> {
  const { existing, idField, vectorField } = fields
  return existingIndex({
    ...{ recipe, name: 'qdrant', kind: 'qdrant', place: { urlEnv }, existing, holds: 'vectors' },
    params: { idField, ...(vectorField !== undefined && { vectorField }) },
    who: `the collection ${existing} of the server in ${urlEnv}`,
    connect: () => openExisting(urlEnv, fields),
  })
}

/** Points that tell one collection from another: Qdrant gives a collection no identity. */
const SAMPLE = 20

async function openExisting(
  urlEnv: string,
  { existing: name, idField, vectorField }: Fields,
): Promise<ExistingIndex<Float32Array>> {
  const { client, ask } = await openClient(urlEnv)
  const filterOf = (ids: readonly string[]) => ({ must: [{ key: idField, match: { any: [...ids] } }] })
  const idOf = (payload: Readonly<Record<string, unknown>> | null | undefined) => String(payload?.[idField])
  const withPayload = { with_payload: [idField] }
  return {
    async problems(content) {
      const { vectors } = (await ask(() => client.getCollection(name))).config.params
      const named = vectorField === undefined ? vectors : (vectors as Named)?.[vectorField]
      const { size, distance } = (named ?? {}) as { size?: number; distance?: string }
      const of = vectorField === undefined ? 'one vector a point' : `a vector ${vectorField}`
      if (size === undefined) return [`has not ${of}; \`vectorField\` names one of ${namesOf(vectors)}`]
      const other = `compares by ${distance}, not by Cosine`
      return [...dimsProblems(size, content), ...(distance === 'Cosine' ? [] : [other])]
    },
    count: async () => (await ask(() => client.count(name, { exact: true }))).count,
    async identity() {
      const { points } = await ask(() =>
        client.scroll(name, { limit: SAMPLE, with_vector: true, ...withPayload }),
      )
      return points.map(({ id, vector, payload }) => [id, idOf(payload), JSON.stringify(vector ?? null)])
    },
    async read(ids, withContent) {
      if (ids.length === 0) return new Map()
      const { points } = await ask(() =>
        client.scroll(name, {
          ...{ filter: filterOf(ids), limit: ids.length, ...withPayload },
          with_vector: withContent && (vectorField === undefined || [vectorField]),
        }),
      )
      return new Map(
        points.map(({ payload, vector }) => {
          const own = vectorField === undefined ? vector : (vector as Named | null | undefined)?.[vectorField]
          return [idOf(payload), { vector: own as number[] | undefined }]
        }),
      )
    },
    async search(query, depth, how, ids) {
      const { data } = await ask(() =>
        client.api().queryPoints({
          ...{ collection_name: name, query: [...query], limit: depth, ...withPayload },
          params: how as { exact?: boolean; hnsw_ef?: number },
          ...(vectorField !== undefined && { using: vectorField }),
          ...(ids && { filter: filterOf(ids) }),
        }),
      )
      const points = data.result?.points ?? []
      return {
        ids: points.map(({ payload }) => idOf(payload)),
        scores: points.map(({ score }) => score),
        took: data.time === undefined ? undefined : 1000 * data.time,
      }
    },
    version: async () => (await ask(() => client.versionInfo())).version,
    close: async () => {},
  }
}

type Named = Readonly<Record<string, unknown>>

const namesOf = (vectors: unknown) => Object.keys((vectors as Named | undefined) ?? {}).join(', ')
