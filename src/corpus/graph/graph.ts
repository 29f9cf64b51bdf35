import { createHash } from 'node:crypto'
import { entityKey } from '../../text/entity-key.ts'
import { buildCsr, buildIncidence, type Csr, type Incidence, rowSizes, transpose } from './csr.ts'

/** Knowledge graph over a corpus, as columns. Rows are indexes into these. */
export interface Graph {
  readonly entities: Entities
  readonly relationships: Relationships
  /** Entity -> chunk rows, with the number of mentions. */
  readonly chunksOfEntity: Incidence
  readonly entitiesOfChunk: Incidence
  readonly chunksOfRelationship: Incidence
  /** Entity -> relationships that begin or end at it. */
  readonly relationshipsOfEntity: Incidence
  /** Entities joined by relationships, weights summed over both directions, no self edges. */
  readonly csr: Csr
  readonly chunks: number
}

/** Sorted by key, in byte order. */
export interface Entities {
  readonly size: number
  readonly ids: readonly string[]
  /** Normalised names, or the names themselves if a source keeps names of one normal form apart. Unique. */
  readonly keys: readonly string[]
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly descriptions: readonly string[]
  readonly degrees: Uint32Array
}

/** One row for each ordered pair of entities, in the order of first occurrence. */
export interface Relationships {
  readonly size: number
  readonly ids: readonly string[]
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
  readonly descriptions: readonly string[]
  readonly keywords: readonly string[]
  /** Distinct kinds of relation by first occurrence: `[contains, next]`. */
  readonly relations: readonly (readonly string[])[]
  readonly combinedDegrees: Uint32Array
}

/** HippoRAG's facts: distinct (subject, predicate, object) by keys, sorted by them. */
export interface FactTable {
  readonly size: number
  readonly subjects: Uint32Array
  readonly objects: Uint32Array
  /** Texts to embed: `subject predicate object`, normalised like entity keys. */
  readonly texts: readonly string[]
  readonly counts: Uint32Array
}

/** Hierarchical communities, sorted by level, then by lowest member. */
export interface Communities {
  readonly size: number
  readonly ids: readonly string[]
  readonly levels: Uint32Array
  readonly parents: Int32Array
  readonly children: readonly (readonly number[])[]
  readonly titles: readonly string[]
  readonly entities: Incidence
  /** Community -> relationships with both ends inside. */
  readonly relationships: Incidence
  /** Community -> chunk rows, with the number of its entities in the chunk. */
  readonly chunks: Incidence
  readonly depth: number
  readonly notices: Readonly<Record<string, number>>
}

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

/** Stored columns of a graph; all others are derived from them. `chunks`: chunk rows of each row. */
interface StoredGraph {
  readonly entities: Omit<Entities, 'size' | 'ids' | 'degrees'> & { readonly chunks: Incidence }
  readonly relationships: Omit<Relationships, 'size' | 'ids' | 'combinedDegrees'> & {
    readonly chunks: Incidence
  }
  readonly chunks: number
}

export function assembleGraph({
  entities: { chunks: chunksOfEntity, ...entities },
  relationships: { chunks: chunksOfRelationship, ...relationships },
  chunks,
}: StoredGraph): Graph {
  const size = entities.keys.length
  const { sources, targets } = relationships
  const csr = buildCsr(size, relationships)
  const degrees = rowSizes(csr)
  const ids = entities.keys.map((key) => hashId(`entity\0${key}`))
  return {
    entities: { ...entities, size, ids, degrees },
    relationships: {
      ...relationships,
      size: sources.length,
      // Half of each end's id: collisions are as unlikely as for a hash, and it is much cheaper.
      ids: Array.from(sources, (source, row) => ids[source].slice(0, 16) + ids[targets[row]].slice(0, 16)),
      combinedDegrees: sources.map((source, row) => degrees[source] + degrees[targets[row]]),
    },
    chunksOfEntity,
    entitiesOfChunk: transpose(chunksOfEntity, chunks),
    chunksOfRelationship,
    relationshipsOfEntity: relationshipsOfEntity(size, relationships),
    csr,
    chunks,
  }
}

function relationshipsOfEntity(
  entities: number,
  { sources, targets }: Pick<Relationships, 'sources' | 'targets'>,
): Incidence {
  const count = sources.length
  const rows = new Uint32Array(2 * count)
  rows.set(sources)
  rows.set(targets, count)
  const members = rows.map((_, i) => i % count)
  return buildIncidence(entities, { rows, members }, count)
}

export function hashId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
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
