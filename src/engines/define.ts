import { z } from 'zod'
import type { Recipe } from '../corpus/recipe.ts'
import type { Mask } from '../ranking/mask.ts'
import type { Definition } from '../registry.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Json, Ranking } from '../types.ts'

/** Search over the chunks of one corpus in an external engine. Rankings hold rows of chunks. */
export interface EngineIndex<Q> {
  /**
   * The `depth` best chunks among those that `within` keeps. `how`: the engine's settings of a search. Throws a UserError if
   * the engine does not answer or no longer holds what was prepared, another Error if it refuses this query.
   */
  search(query: Q, depth: number, how: Json, within?: Mask): Promise<Found>
  close(): Promise<void>
}

/** Ranking of a search, with the milliseconds that the engine says it took; undefined if it says none. */
export type Found = Ranking & { readonly took?: number | undefined }

/** Params that say where an engine is, without credentials. */
export type Place = Readonly<Record<string, string>>

/** Index that `prepare` loads, and the settings of its searches, which are no part of its key. */
interface EngineSearch<Q> {
  readonly index: Artifact<EngineIndex<Q>>
  readonly how: Json
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

/**
 * A kind of engine, which a config names in `engines`. Params with `.meta({ place: true })` say where the engine is; they
 * decide no ranking and are part of no key.
 */
export interface EngineKind<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  readonly source: string
  /** Dense search by cosine over the same vectors as `naive`. Throws a UserError if `depth` is too much for it. */
  readonly dense?: (recipe: Recipe, params: z.output<S>, depth: number) => EngineSearch<Float32Array>
  /** Lexical search over the same texts as `bm25`, by the engine's own analysis. */
  readonly lexical?: (recipe: Recipe, params: z.output<S>, bm25: EngineBm25) => EngineSearch<string>
  /** Dense and lexical search as one request, fused by the engine. */
  readonly hybrid?: (
    recipe: Recipe,
    params: z.output<S>,
    bm25: EngineBm25,
    fusion: EngineFusion,
  ) => EngineSearch<BothSides>
  /** Version of the engine that answers at the place of the params. Throws a UserError if none answers. */
  readonly version: (params: z.output<S>) => Promise<string>
  /** Removes an index from the engine if it is there. Throws a UserError if it is not Touchstone's. */
  readonly remove: (place: Place, index: string) => Promise<void>
}

/** Infers the types of an engine's definition. */
export function defineEngine<S extends z.ZodObject>(kind: EngineKind<S>): EngineKind {
  return kind as unknown as EngineKind
}

/** Name of the environment variable that holds an engine's address and credentials. */
export const urlEnv = (name: string) =>
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .default(name)
    .meta({ place: true })
    .describe('the NAME of the environment variable with the address and its credentials')

export const checkRecall = z
  .boolean()
  .default(true)
  .describe('also search exactly in memory, and count the share of the exact first 10 that is found')
