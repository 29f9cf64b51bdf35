import { indexedTexts } from '../corpus/chunks/units.ts'
import { embedTexts } from '../corpus/dense/embeddings.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { UserError } from '../errors.ts'
import type { Mask } from '../ranking/mask.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Json } from '../types.ts'
import { batchesOf, engineRows } from './client.ts'
import type { EngineIndex, Place } from './define.ts'
import { rankFound } from './found.ts'
import { engineIndex } from './stored.ts'

/** A collection of vectors in a vector database: each point has the row of its chunk as its id. */

export interface Point {
  readonly row: number
  readonly vector: readonly number[]
}

interface Nearest {
  readonly rows: readonly number[]
  /** Cosines, descending. */
  readonly cosines: readonly number[]
  readonly took?: number | undefined
}

interface State {
  /** True if the collection has Touchstone's marker. */
  readonly own: boolean
  /** Number of points. */
  readonly rows: number
  /** True for an empty collection without any marker: a load ended before it could mark it. */
  readonly isCut?: boolean
}

/** Requests of one kind of vector database. */
export interface Collections {
  /** State of a collection; undefined if there is no such collection. */
  state(name: string): Promise<State | undefined>
  /** Creates an empty collection with Touchstone's marker, or marks the one that a load left. */
  create(name: string, dims: number): Promise<void>
  /** Writes points; those that are there are replaced. */
  upsert(name: string, points: readonly Point[]): Promise<void>
  /** Returns once the collection can be searched. */
  settle(name: string): Promise<void>
  /** The `depth` points nearest to a vector, among `rows` if given. */
  nearest(
    name: string,
    vector: readonly number[],
    depth: number,
    how: Json,
    rows?: readonly number[],
  ): Promise<Nearest>
  remove(name: string): Promise<void>
  /** Version of the server. */
  version(): Promise<string>
  close(): Promise<void>
}

interface CollectionDefinition {
  readonly kind: string
  readonly place: Place
  readonly params: Json
  /** Subject of a message, such as "the server in TOUCHSTONE_QDRANT". */
  readonly who: string
  connect(): Promise<Collections>
}

export function vectorCollection(
  recipe: Recipe,
  { kind, place, params, who, connect }: CollectionDefinition,
): Artifact<EngineIndex<Float32Array>> {
  const withCollections = async <T>(use: (open: Collections) => Promise<T>) => {
    const open = await connect()
    return use(open).finally(() => open.close())
  }
  return engineIndex({
    ...{ name: kind, kind, place, params },
    inputs: { embeddings: embedTexts(recipe, 'chunks', indexedTexts(recipe)) },
    async load(name, inputs, progress) {
      const rows = engineRows(await inputs.embeddings())
      return withCollections(async (open) => {
        const expected = [...batchesOf(rows)].reduce((sum, batch) => sum + batch.length, 0)
        const found = await open.state(name)
        if (found && !found.own && !found.isCut) throw new UserError(notOurs(who, name))
        if (found?.own && found.rows === expected) {
          // An earlier load may have ended while the engine was indexing.
          await open.settle(name)
          return expected
        }
        if (!found?.own) await open.create(name, rows.dims)
        for (const batch of batchesOf(rows)) {
          progress(batch[0], rows.rows)
          await open.upsert(
            name,
            batch.map((row) => ({ row, vector: [...rows.vector(row)] })),
          )
        }
        await open.settle(name)
        const there = (await open.state(name))?.rows ?? 0
        if (there !== expected)
          throw new UserError(
            `${who} holds ${there} of ${expected} points in ${name} after loading; prepare again`,
          )
        return expected
      })
    },
    version: () => withCollections((open) => open.version()),
    isGone: (name) => withCollections(async (open) => (await open.state(name)) === undefined),
    async open(name, facts) {
      const rows = facts as number
      const open = await connect()
      const found = await open.state(name)
      if (!found?.own || found.rows !== rows) {
        await open.close()
        throw new UserError(
          `${who} does not hold the collection ${name} as it was prepared (${rows} points, found ${found ? found.rows : 'no such collection'}); delete the collection, and prepare again`,
        )
      }
      return {
        async search(vector, depth, how, within?: Mask) {
          const kept = within && [...within.rows]
          const {
            rows: near,
            cosines,
            took,
          } = await nearestWithTies(open, name, vector, depth, how, kept, rows)
          return { ...rankFound(`${who}, in the collection ${name},`, near, cosines, depth, within), took }
        },
        close: () => open.close(),
      }
    },
  })
}

/** Asks for more while the last point may tie with one that is left out, so that ties at the cut break as in memory. */
async function nearestWithTies(
  open: Collections,
  name: string,
  vector: Float32Array,
  depth: number,
  how: Json,
  kept: readonly number[] | undefined,
  rows: number,
): Promise<Nearest> {
  const all = Math.min(rows, kept?.length ?? rows)
  let took: number | undefined
  for (let count = Math.min(depth, all) + 1; ; count *= 2) {
    const found = await open.nearest(name, [...vector], Math.min(count, all), how, kept)
    if (found.took !== undefined) took = (took ?? 0) + found.took
    const { cosines } = found
    const isCut = cosines.length > depth && cosines[depth - 1] === cosines[cosines.length - 1]
    if (!isCut || count >= all) return { ...found, took }
  }
}

/** Version of a server, by a connection of its own. */
export async function collectionsVersion(connect: () => Promise<Collections>): Promise<string> {
  const open = await connect()
  return open.version().finally(() => open.close())
}

/** Removes a collection of Touchstone's; nothing if there is no such collection. */
export async function removeCollection(
  connect: () => Promise<Collections>,
  who: string,
  name: string,
): Promise<void> {
  const open = await connect()
  try {
    const found = await open.state(name)
    if (!found) return
    if (!found.own && !found.isCut) throw new UserError(notOurs(who, name))
    await open.remove(name)
  } finally {
    await open.close()
  }
}

const notOurs = (who: string, name: string) =>
  `${who} holds a collection ${name} that is not Touchstone's; rename it`
