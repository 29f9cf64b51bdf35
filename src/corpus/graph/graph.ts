import { entityKey } from '../../text/entity-key.ts'
import type { Csr, Incidence } from './csr.ts'
import type { RandomWalk } from './pagerank.ts'
import type { Titles } from './titles.ts'

/**
 * Knowledge graph over a corpus, as columns. Rows are indexes into these columns; chunk rows are those of the corpus.
 */
export interface Graph {
  readonly entities: Entities
  readonly relationships: Relationships
  /** Entity -> chunk rows that mention it, with counts. The number of rows of an entity is HippoRAG's passage count. */
  readonly chunksOfEntity: Incidence
  /** Chunk row -> its entities. */
  readonly entitiesOfChunk: Incidence
  /** Relationship -> chunk rows that it was found in. */
  readonly chunksOfRelationship: Incidence
  /** Entity -> relationships that begin or end at it. */
  readonly relationshipsOfEntity: Incidence
  /** Entities joined by relationships, weights summed over both directions, no self edges. */
  readonly csr: Csr
  readonly chunks: number
}

/** Sorted by key, in byte order: row order is key order. */
export interface Entities {
  readonly size: number
  readonly ids: readonly string[]
  /** Normalised names, or the names themselves if a source keeps names of one normal form apart. Unique. */
  readonly keys: readonly string[]
  /** The names as written, first spelling in chunk order. */
  readonly names: readonly string[]
  /** Empty if the extractor knows no type. */
  readonly types: readonly string[]
  readonly descriptions: readonly string[]
  readonly degrees: Uint32Array
}

/** Finds the row of a name: the entity with this spelling, else the one with its key. */
export function entityRows({
  names,
  keys,
}: Pick<Entities, 'names' | 'keys'>): (name: string) => number | undefined {
  const byName = new Map(names.map((name, row) => [name, row]))
  const byKey = new Map(keys.map((key, row) => [key, row]))
  return (name) => byName.get(name.trim()) ?? byKey.get(entityKey(name))
}

/** One row for each ordered pair of entities, in the order of first occurrence. */
export interface Relationships {
  readonly size: number
  readonly ids: readonly string[]
  /** Entity rows. */
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
  readonly descriptions: readonly string[]
  /** Content words of the predicate, joined by `, `. */
  readonly keywords: readonly string[]
  /** Distinct kinds of relation by first occurrence: `[contains, next]`; empty if no extractor knows any. */
  readonly relations: readonly (readonly string[])[]
  readonly combinedDegrees: Uint32Array
}

/** HippoRAG's facts: distinct (subject, predicate, object) by keys, sorted by them. */
export interface FactTable {
  readonly size: number
  /** Entity rows. */
  readonly subjects: Uint32Array
  readonly objects: Uint32Array
  /** Embedded texts: `subject predicate object`, normalised like entity keys. */
  readonly texts: readonly string[]
  readonly counts: Uint32Array
}

/** Synonym edges as columns, one per direction in which the neighbour was found; weights are cosines. */
export interface SynonymEdges {
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
}

/** HippoRAG's graph: node p is entity row p for p < `phrases`; in version 2 then chunk row p - `phrases`. */
export interface HippoGraph {
  readonly phrases: number
  readonly walk: RandomWalk
  /** Number of passages that hold each phrase. */
  readonly passagesPerPhrase: Uint32Array
}

/** Title PPR's graph: passages that mention each other's titles. Node = chunk row. */
export interface TitleGraph {
  /** Passages, joined if one mentions the other's title; the weight is the rarity of that mention. */
  readonly csr: Csr
  /** Walk over `csr` with an edge of weight 1 from each passage to itself. */
  readonly walk: RandomWalk
  /** The passages' titles, to be found in queries; rows are chunk rows. */
  readonly titles: Titles
  /** Rarity of a mention, by title key. */
  readonly rarity: ReadonlyMap<string, number>
}

/** Hierarchical communities, sorted by level, then by lowest member. Community ids are rows. */
export interface Communities {
  readonly size: number
  readonly ids: readonly string[]
  /** 0 is the coarsest. */
  readonly levels: Uint32Array
  /** Parent row, or -1. */
  readonly parents: Int32Array
  readonly children: readonly (readonly number[])[]
  readonly titles: readonly string[]
  /** Community -> entity rows. */
  readonly entities: Incidence
  /** Community -> relationships with both ends inside. */
  readonly relationships: Incidence
  /** Community -> chunk rows of its entities; counts are the number of its entities in the chunk. */
  readonly chunks: Incidence
  readonly depth: number
  readonly notices: Readonly<Record<string, number>>
}

/** Row r is the report of community `communities[r]`. */
export interface Reports {
  readonly size: number
  readonly ids: readonly string[]
  readonly communities: Uint32Array
  readonly titles: readonly string[]
  readonly summaries: readonly string[]
  readonly contents: readonly string[]
  /** 0 to 10, higher is more important. */
  readonly ranks: Float64Array
  /** o200k tokens of the content. */
  readonly tokens: Uint32Array
  readonly notices: Readonly<Record<string, number>>
}

/** o200k tokens of an entity's and a relationship's text in a context, by row. */
export interface EvidenceSizes {
  readonly entity: (row: number) => number
  readonly relationship: (row: number) => number
}
