import { setImmediate } from 'node:timers/promises'
import type * as Chroma from '../../src/engines/chroma.ts'

/** The package `chromadb` over a server in memory, as far as Touchstone uses it. The heavy suite runs the real one. */

interface Held {
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly hnsw: Readonly<Record<string, string | number>> | null
  readonly vectors: Map<string, number[]>
}

const WRITES = new Set(['createCollection', 'upsert', 'deleteCollection'])

/** An error as the package throws it: its name tells the kind. */
export const chromaError = (name: string, message: string) => Object.assign(new Error(message), { name })

function requireIds(ids: readonly string[] = ['any']): void {
  if (ids.length === 0) throw chromaError('ChromaValueError', 'Expected ids to be a non-empty list')
}

export function chromaPackage() {
  const collections = new Map<string, Held>()
  /** Options of each client, and the name of each request. */
  const opened: object[] = []
  const requests: string[] = []
  /** Returns an error that a request ends with, or the answer to return in place of the right one. */
  const state = { plan: (_request: string): unknown => undefined }

  async function answer<T>(request: string, right: () => T): Promise<T> {
    requests.push(request)
    // A write takes longer than a read: a caller that does not wait for it reads the state before.
    for (let turn = WRITES.has(request) ? 3 : 1; turn > 0; turn--) await setImmediate()
    const planned = state.plan(request)
    if (planned instanceof Error) throw planned
    return planned === undefined ? right() : (planned as T)
  }

  const collectionOf = ({ metadata, vectors }: Held): Chroma.Collection => ({
    metadata,
    count: () => answer('count', () => vectors.size),
    upsert: ({ ids, embeddings }) =>
      answer('upsert', () => {
        requireIds(ids)
        for (const [at, id] of ids.entries()) vectors.set(id, embeddings[at])
      }),
    query: ({ queryEmbeddings, nResults, ids }) =>
      answer('query', () => {
        requireIds(ids)
        const nearest = [...vectors]
          .filter(([id]) => !ids || ids.includes(id))
          .map(([id, vector]) => ({ id, distance: 1 - cosine(queryEmbeddings[0], vector) }))
          .sort((a, b) => a.distance - b.distance)
          .slice(0, nResults)
        return { ids: [nearest.map(({ id }) => id)], distances: [nearest.map(({ distance }) => distance)] }
      }),
  })

  const get = (name: string) => {
    const collection = collections.get(name)
    if (!collection)
      throw chromaError('ChromaNotFoundError', `The requested resource could not be found: ${name}`)
    return collection
  }

  class ChromaClient implements Chroma.Client {
    constructor(options: object) {
      opened.push(options)
    }
    heartbeat() {
      return answer('heartbeat', () => 1)
    }
    version() {
      return answer('version', () => '1.5.9')
    }
    getCollection({ name }: { readonly name: string }) {
      return answer('getCollection', () => collectionOf(get(name)))
    }
    createCollection({ name, metadata, configuration }: Parameters<Chroma.Client['createCollection']>[0]) {
      return answer('createCollection', () => {
        if (collections.has(name)) throw chromaError('ChromaUniqueError', 'The resource already exists')
        const collection = { metadata, hnsw: configuration.hnsw, vectors: new Map() }
        collections.set(name, collection)
        return collectionOf(collection)
      })
    }
    deleteCollection({ name }: { readonly name: string }) {
      return answer('deleteCollection', () => {
        get(name)
        collections.delete(name)
      })
    }
  }
  return { exported: { ChromaClient }, collections, opened, asked: requests, state }
}

/** Cosine of two vectors, 0 if one of them is zero. */
export function cosine(a: Iterable<number>, b: Iterable<number>): number {
  const [left, two] = [[...a], [...b]]
  const dot = left.reduce((sum, value, i) => sum + value * two[i], 0)
  return dot / (Math.hypot(...left) * Math.hypot(...two) || 1)
}
