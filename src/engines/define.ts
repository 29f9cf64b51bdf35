import type { z } from 'zod'
import type { Recipe } from '../corpus/recipe.ts'
import type { Mask } from '../ranking/mask.ts'
import type { Definition } from '../registry.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Json, Ranking } from '../types.ts'

/** Ranking of a search, with the milliseconds that the engine reports; undefined if it reports none. */
export type TimedRanking = Ranking & { readonly took?: number | undefined }

/** Search over the chunks of one corpus in an external engine. Rankings hold rows of chunks. */
export interface EngineIndex<Q> {
  /**
   * The `depth` best chunks among those that `within` keeps. `how`: the engine's settings of a search. Throws a UserError if
   * the engine does not answer or no longer holds what was prepared, another Error if it refuses this query.
   */
  search(query: Q, depth: number, how: Json, within?: Mask): Promise<TimedRanking>
  close(): Promise<void>
}

/** Index that `prepare` loads, and the settings of its searches, which are no part of its key. */
interface EngineSearch<Q> {
  readonly index: Artifact<EngineIndex<Q>>
  readonly how: Json
}

/** State of an index in an engine. */
export interface IndexState {
  /** True if the index has Touchstone's marker. */
  readonly isOurs: boolean
  /** Number of chunks that it holds. */
  readonly rows: number
}

/** Open connection to an engine. Its methods throw a UserError if the engine does not answer. */
export interface Connection {
  version(): Promise<string>
  /** State of an index; undefined if there is none. */
  state(index: string): Promise<IndexState | undefined>
  remove(index: string): Promise<void>
  close(): Promise<void>
}

/** Server of an engine, whose address is in an environment variable. */
export interface Server<C extends Connection = Connection> {
  /** Name of the engine's kind. */
  readonly kind: string
  /** Subject of a message, such as "the server in TOUCHSTONE_CHROMA". */
  readonly who: string
  /** Noun for one of its indexes. */
  readonly noun: string
  connect(): Promise<C>
}

/** BM25 params that a trial asks an engine for. */
export type EngineBm25 = { readonly k1: number; readonly b: number }

/** Both sides of a query, which an engine fuses itself. */
export interface BothSides {
  readonly text: string
  readonly vector: Float32Array
}

/** Fusion that an engine does itself. */
export type EngineFusion =
  | { readonly fusion: 'weighted'; readonly norm: 'minmax'; readonly alpha: number }
  | { readonly fusion: 'rrf'; readonly rrfK: number }

/** A kind of engine, which a config names in `engines`. */
export interface EngineKind<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  readonly source: string
  readonly server: Server
  /** Dense search by cosine over the same vectors as `naive`. Throws a UserError if `depth` is too much for it. */
  readonly dense: (recipe: Recipe, params: z.output<S>, depth: number) => EngineSearch<Float32Array>
  /** Lexical search over the same texts as `bm25`, by the engine's own analysis. */
  readonly lexical?: (recipe: Recipe, params: z.output<S>, bm25: EngineBm25) => EngineSearch<string>
  /** Dense and lexical search as one request, fused by the engine. */
  readonly hybrid?: (
    recipe: Recipe,
    params: z.output<S>,
    bm25: EngineBm25,
    fusion: EngineFusion,
  ) => EngineSearch<BothSides>
}

/** Infers the types of an engine's definition. */
export function defineEngine<S extends z.ZodObject>(kind: EngineKind<S>): EngineKind {
  return kind as unknown as EngineKind
}
