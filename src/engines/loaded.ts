import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Embeddings } from '../corpus/dense/embeddings.ts'
import { UserError } from '../errors.ts'
import type { Mask } from '../ranking/mask.ts'
import { rankPairs } from '../ranking/order.ts'
import type { Part } from '../registry.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { Json, Ranking } from '../types.ts'
import type { Connection, Engine, EngineBm25, EngineIndex, EngineKind, IndexState, Server } from './index.ts'

const FILE = 'engine.json'

const RECORD = z.object({
  kind: z.string(),
  index: z.string().regex(/^touchstone_[0-9a-f]{32}$/),
  /** Version of the engine when the index was loaded. */
  version: z.string(),
  /** Number of chunks in the index. */
  rows: z.int(),
})
type StoredIndex = z.output<typeof RECORD>

/** Rows that a search returned, best first, with their scores. */
interface Answer {
  readonly rows: readonly number[]
  readonly scores: readonly number[]
  readonly took?: number | undefined
}

/** Content of an index: a value by row. */
export interface Content<V> {
  readonly rows: number
  value(row: number): V
  /** Rows to load, in batches. */
  batches(): Generator<readonly number[]>
}

/** Vectors to load: each has length 1. Texts of unknown words have no vector and are never found. */
export type Vectors = Content<number[]> & { readonly dims: number }

/** One search of an engine: how its index is filled and asked. */
export interface Side<P, C extends Connection, T, Q> {
  /** Params that decide the index; others are settings of a search. */
  built(params: P): Json
  /** Writes the content into the index, which may hold a part of it; `state` is undefined without an index. */
  fill(
    connection: C,
    index: string,
    content: T,
    params: P,
    state: IndexState | undefined,
    progress: (done: number) => void,
  ): Promise<void>
  /** `allowed`: rows to search among; all if left out. `rows`: number of chunks in the index. */
  search(
    connection: C,
    index: string,
    query: Q,
    depth: number,
    params: P,
    allowed: readonly number[] | undefined,
    rows: number,
  ): Promise<Answer>
}

export function defineEngine<S extends z.ZodObject, C extends Connection>({
  server,
  checkDepth,
  dense,
  lexical,
  ...part
}: Omit<Part<Engine, S>, 'make'> & {
  readonly server: Server<C>
  checkDepth?(depth: number, params: z.output<S>): void
  readonly dense: Side<z.output<S>, C, Vectors, Float32Array>
  readonly lexical?: Side<z.output<S> & EngineBm25, C, Content<string>, string>
}): Part<Engine, S> & Pick<EngineKind, 'server'> {
  const { name } = part
  return {
    ...part,
    server,
    make: (params) => ({
      checkDepth: (depth) => checkDepth?.(depth, params),
      dense: (embeddings) => loadedIndex(server, name, dense, params, embeddings, vectorsOf),
      lexical:
        lexical &&
        ((texts, bm25) =>
          loadedIndex(server, `${name}-text`, lexical, { ...params, ...bm25 }, texts, textsOf)),
    }),
  }
}

/**
 * Index of one corpus in an engine, as an artifact: `prepare` loads it, and loads it again if the engine has lost it. The index
 * is named by the artifact's key. The store holds its name and no credentials. The server's address is no part of the key.
 */
function loadedIndex<P, C extends Connection, T extends { readonly rows: number }, Q, I>(
  server: Server<C>,
  name: string,
  side: Side<P, C, T, Q>,
  params: P,
  source: Artifact<I>,
  contentOf: (opened: I) => T,
): Artifact<EngineIndex<Q>> {
  const { kind, who, noun } = server
  const artifact: Artifact<EngineIndex<Q>> = defineArtifact({
    name,
    version: 4,
    params: side.built(params),
    inputs: { source },
    async build(folder, inputs, { progress }) {
      const index = `touchstone_${artifact.key.slice(0, 32)}`
      const content = contentOf(await inputs.source())
      const { rows } = content
      const version = await withConnection(server, async (connection) => {
        const state = await connection.state(index)
        if (state && !state.isOurs) throw notOurs(server, index)
        if (state?.rows !== rows)
          await side.fill(connection, index, content, params, state, (done) => progress(name, done, rows))
        const loaded = (await connection.state(index))?.rows ?? 0
        if (loaded !== rows)
          throw new UserError(
            `${who} holds ${loaded} of ${rows} chunks in ${index} after loading; prepare again`,
          )
        return connection.version()
      })
      const record: StoredIndex = { kind, index, version, rows }
      writeFileSync(join(folder, FILE), JSON.stringify(record))
    },
    holder(folder) {
      const version = storedIndex(folder)?.version
      return version && `${kind} ${version}`
    },
    async isGone(folder) {
      const record = storedIndex(folder)
      if (!record) return false
      try {
        return (await withConnection(server, ({ state }) => state(record.index))) === undefined
      } catch (error) {
        // A server that is down has lost nothing yet: the search says that it does not answer.
        if (error instanceof UserError) return false
        throw error
      }
    },
    open(folder) {
      const { index, rows } = RECORD.parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')))
      let connected: Promise<C> | undefined
      return {
        async search(query, depth, params, mask) {
          connected ??= connectTo(server, index, rows)
          const allowed = mask && [...mask.rows]
          const answer = await side.search(await connected, index, query, depth, params as P, allowed, rows)
          const ranking = rankAnswer(`${who}, in the ${noun} ${index},`, answer, depth, mask)
          return { ...ranking, took: answer.took }
        },
        async close() {
          await connected?.then((connection) => connection.close()).catch(() => {})
        },
      }
    },
    close: (index) => index.close(),
  })
  return artifact
}

/** Connects to the server of a prepared index. Throws a UserError if it no longer holds the index as it was prepared. */
async function connectTo<C extends Connection>(server: Server<C>, index: string, rows: number): Promise<C> {
  const { who, noun } = server
  const connection = await server.connect()
  try {
    const state = await connection.state(index)
    if (state?.isOurs && state.rows === rows) return connection
    const present = state ? `${state.rows}` : `no such ${noun}`
    throw new UserError(
      `${who} does not hold the ${noun} ${index} as it was prepared (${rows} chunks, found ${present}); delete the ${noun}, and prepare again`,
    )
  } catch (error) {
    await connection.close()
    throw error
  }
}

export async function withConnection<C extends Connection, T>(
  server: Server<C>,
  use: (connection: C) => Promise<T>,
): Promise<T> {
  const connection = await server.connect()
  return use(connection).finally(() => connection.close())
}

export function removeIndex(server: Server, index: string): Promise<void> {
  return withConnection(server, async (connection) => {
    const state = await connection.state(index)
    if (!state) return
    if (!state.isOurs) throw notOurs(server, index)
    await connection.remove(index)
  })
}

const notOurs = ({ who, noun }: Pick<Server, 'who' | 'noun'>, index: string) =>
  new UserError(`${who} holds a ${noun} ${index} that is not Touchstone's; rename it`)

/** Index that an artifact's folder names; undefined if it names none. */
export function storedIndex(folder: string): StoredIndex | undefined {
  const file = join(folder, FILE)
  if (!existsSync(file)) return undefined
  try {
    return RECORD.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** A number of an engine's answer; NaN for anything else, as for the null that JSON has in place of NaN. */
export function numberIn(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
}

/**
 * The best `depth` of an answer. Throws a UserError for a row that is none, occurs twice or is not in `mask`, and for
 * a score that is not finite.
 */
export function rankAnswer(who: string, { rows, scores }: Answer, depth: number, mask?: Mask): Ranking {
  const seen = new Set<number>()
  for (const [place, row] of rows.entries()) {
    const fail = (problem: string) => new UserError(`${who} returned ${problem}`)
    if (!Number.isInteger(row) || row < 0) throw fail(`${row} in place of a chunk's row`)
    if (seen.has(row)) throw fail(`the chunk of row ${row} twice in one ranking`)
    seen.add(row)
    if (mask && !(mask.kept[row] > 0))
      throw fail(`the chunk of row ${row}, which the filter of the request leaves out`)
    if (!Number.isFinite(scores[place])) throw fail(`the score ${scores[place]} for the chunk of row ${row}`)
  }
  return rankPairs(rows, scores, depth)
}

function vectorsOf({ vectors, dims }: Embeddings): Vectors {
  const floats = (row: number) => {
    const { buffer, byteOffset } = vectors[row]
    // A view into a table may start at an offset that is not a multiple of four.
    return new Float32Array(buffer.slice(byteOffset, byteOffset + 4 * dims))
  }
  const rows = [...vectors.keys()].filter((row) => floats(row).some((value) => value !== 0))
  return { dims, rows: rows.length, value: (row) => [...floats(row)], batches: () => batchesOf(rows) }
}

function textsOf(texts: readonly string[]): Content<string> {
  return { rows: texts.length, value: (row) => texts[row], batches: () => batchesOf([...texts.keys()]) }
}

/** Rows per insertion. */
const BATCH = 1000

function* batchesOf(rows: readonly number[]): Generator<readonly number[]> {
  for (let begin = 0; begin < rows.length; begin += BATCH) yield rows.slice(begin, begin + BATCH)
}
