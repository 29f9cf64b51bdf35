import type { Recipe } from '../../corpus/recipe.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { EngineIndex } from '../define.ts'
import { dimsProblems, type ExistingIndex, existingIndex } from '../existing.ts'
import { numberIn } from '../found.ts'
import { openClient } from './client.ts'

/** A collection of Chroma that was there before. It is read alone; a record's id is the chunk's. */
export function existingCollection(
  recipe: Recipe,
  urlEnv: string,
  existing: string,
): Artifact<EngineIndex<Float32Array>> {
  return existingIndex({
    ...{ recipe, name: 'chroma', kind: 'chroma', place: { urlEnv }, existing, holds: 'vectors', params: {} },
    who: `the collection ${existing} of the server in ${urlEnv}`,
    connect: () => openExisting(urlEnv, existing),
  })
}

async function openExisting(urlEnv: string, name: string): Promise<ExistingIndex<Float32Array>> {
  const { client, ask, open } = await openClient(urlEnv)
  const collection = await open(name)
  return {
    async problems(content) {
      const space = collection.configuration.hnsw?.space ?? 'l2'
      const { embeddings } = await ask(() => collection.get({ limit: 1, include: ['embeddings'] }))
      const other = `compares by ${space}, not by cosine`
      return [...dimsProblems(embeddings[0]?.length, content), ...(space === 'cosine' ? [] : [other])]
    },
    count: () => ask(() => collection.count()),
    identity: async () => collection.id,
    async read(ids, withContent) {
      if (ids.length === 0) return new Map()
      const include = withContent ? ['embeddings'] : []
      const found = await ask(() => collection.get({ ids: [...ids], include }))
      return new Map(found.ids.map((id, at) => [id, withContent ? { vector: found.embeddings[at] } : {}]))
    },
    async search(query, depth, _how, ids) {
      const found = await ask(() =>
        collection.query({
          ...{ queryEmbeddings: [[...query]], nResults: depth, include: ['distances'] },
          ...(ids && { ids: [...ids] }),
        }),
      )
      return { ids: found.ids[0], scores: found.distances[0].map((distance) => 1 - numberIn(distance)) }
    },
    version: () => ask(() => client.version()),
    close: async () => {},
  }
}
