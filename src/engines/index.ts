import type { Embeddings } from '../corpus/dense/embeddings.ts'
import type { Mask } from '../ranking/mask.ts'
import { listParts, type Part } from '../registry.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Json, Ranking } from '../types.ts'

/** A kind of engine, which a config names in `engines`. `prepare` loads its indexes. */
export interface EngineKind extends Part<Engine> {
  readonly server: Server
}

export interface Engine {
  /** Throws a UserError if a search cannot give `depth` chunks. */
  checkDepth?(depth: number): void
  dense(embeddings: Artifact<Embeddings>): Artifact<EngineIndex<Float32Array>>
  /** Lexical search, by the engine's own analysis. */
  lexical?(texts: Artifact<readonly string[]>, bm25: EngineBm25): Artifact<EngineIndex<string>>
}

/** Ranking of a search, with the milliseconds that the engine reports; undefined if it reports none. */
export type TimedRanking = Ranking & { readonly took?: number | undefined }

/** Search over the chunks of one corpus in an external engine. Rankings hold rows of chunks. */
export interface EngineIndex<Q> {
  /**
   * The `depth` best chunks among those that `mask` keeps. `params` may differ from those of the load in settings of a
   * search. Throws a UserError if the engine does not answer or no longer holds what was prepared, another Error if it
   * refuses this query.
   */
  search(query: Q, depth: number, params: Json, mask?: Mask): Promise<TimedRanking>
  close(): Promise<void>
}

export interface IndexState {
  /** True if the index has Touchstone's marker. */
  readonly isOurs: boolean
  readonly rows: number
}

export interface Connection {
  version(): Promise<string>
  /** State of an index; undefined if there is none. */
  state(index: string): Promise<IndexState | undefined>
  remove(index: string): Promise<void>
  close(): Promise<void>
}

export interface Server<C extends Connection = Connection> {
  readonly kind: string
  readonly who: string
  readonly noun: string
  connect(): Promise<C>
}

export type EngineBm25 = { readonly k1: number; readonly b: number }

export const engineKinds = listParts<EngineKind>('engine', {
  opensearch: () => import('./opensearch.ts'),
  chroma: () => import('./chroma.ts'),
  pgvector: () => import('./pgvector.ts'),
})

/**
 * Removes the index that an artifact's folder names from its engine; nothing if the artifact has none. Throws a UserError if
 * the engine does not answer or the index is not Touchstone's.
 */
export async function removeIndexOf(folder: string): Promise<void> {
  const { removeIndex, storedIndex } = await import('./loaded.ts')
  const stored = storedIndex(folder)
  const [kind] = stored ? await engineKinds.load([stored.kind]) : []
  if (stored && kind) await removeIndex(kind.server, stored.index)
}

export async function versionOf(server: Server): Promise<string> {
  const { withConnection } = await import('./loaded.ts')
  return withConnection(server, (connection) => connection.version())
}
