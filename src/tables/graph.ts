import { readTable, writeTable } from './parquet.ts'
import { requireSchema, schemaMetadata } from './schema.ts'

/** Tables of a graph in Parquet: GraphRAG's columns, and HippoRAG's facts. */

const SCHEMAS = {
  entities: { name: 'entities', version: 1 },
  relationships: { name: 'relationships', version: 2 },
  facts: { name: 'facts', version: 1 },
  communities: { name: 'communities', version: 1 },
} as const

/** Entities as columns, one entry a row. */
export interface EntityColumns {
  readonly ids: readonly string[]
  readonly keys: readonly string[]
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly descriptions: readonly string[]
  /** Ids of the chunks that hold the entity. */
  readonly chunkIds: readonly (readonly string[])[]
  /** Number of relationships' distinct other ends. */
  readonly degrees: ArrayLike<number>
}

/** Writes GraphRAG's columns, and `key`, the normalised name. */
export function writeEntities(path: string, entities: EntityColumns): void {
  const columns = [
    { name: 'id', type: 'string', values: entities.ids },
    { name: 'human_readable_id', type: 'integer', values: entities.ids.map((_, row) => row) },
    { name: 'title', type: 'string', values: entities.names },
    { name: 'type', type: 'string', values: entities.types },
    { name: 'description', type: 'string', values: entities.descriptions },
    { name: 'text_unit_ids', type: 'strings', values: entities.chunkIds },
    { name: 'frequency', type: 'integer', values: entities.chunkIds.map((ids) => ids.length) },
    { name: 'degree', type: 'integer', values: entities.degrees },
    { name: 'key', type: 'string', values: entities.keys },
  ] as const
  writeTable(path, columns, schemaMetadata(SCHEMAS.entities))
}

/** Reads the texts of what `writeEntities` wrote. */
export async function readEntities(
  path: string,
): Promise<Pick<EntityColumns, 'keys' | 'names' | 'types' | 'descriptions'>> {
  const table = await readTable(path, ['key', 'title', 'type', 'description'])
  requireSchema(table, SCHEMAS.entities)
  return {
    keys: table.strings('key'),
    names: table.strings('title'),
    types: table.strings('type'),
    descriptions: table.strings('description'),
  }
}

/** Relationships as columns, one entry a row. */
interface RelationshipColumns {
  readonly ids: readonly string[]
  /** Names of the entities at the ends. */
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  readonly descriptions: readonly string[]
  readonly keywords: readonly string[]
  readonly relations: readonly (readonly string[])[]
  readonly weights: ArrayLike<number>
  readonly combinedDegrees: ArrayLike<number>
  readonly chunkIds: readonly (readonly string[])[]
}

/** Writes GraphRAG's columns, `keywords`, and `relation`, the kinds of relation: a pair of entities is one row. */
export function writeRelationships(path: string, relationships: RelationshipColumns): void {
  const columns = [
    { name: 'id', type: 'string', values: relationships.ids },
    { name: 'human_readable_id', type: 'integer', values: relationships.ids.map((_, row) => row) },
    { name: 'source', type: 'string', values: relationships.sources },
    { name: 'target', type: 'string', values: relationships.targets },
    { name: 'description', type: 'string', values: relationships.descriptions },
    { name: 'weight', type: 'number', values: relationships.weights },
    { name: 'combined_degree', type: 'integer', values: relationships.combinedDegrees },
    { name: 'text_unit_ids', type: 'strings', values: relationships.chunkIds },
    { name: 'keywords', type: 'string', values: relationships.keywords },
    { name: 'relation', type: 'strings', values: relationships.relations },
  ] as const
  writeTable(path, columns, schemaMetadata(SCHEMAS.relationships))
}

/** Reads the texts and weights of what `writeRelationships` wrote. */
export async function readRelationships(
  path: string,
): Promise<Pick<RelationshipColumns, 'descriptions' | 'keywords' | 'relations'> & { weights: Float64Array }> {
  const table = await readTable(path, ['description', 'keywords', 'weight', 'relation'])
  requireSchema(table, SCHEMAS.relationships)
  return {
    descriptions: table.strings('description'),
    keywords: table.strings('keywords'),
    relations: table.lists('relation'),
    weights: Float64Array.from(table.numbers('weight')),
  }
}

/** HippoRAG's facts as columns. Subjects and objects are rows of the entities table. */
export interface FactColumns {
  readonly subjects: Uint32Array
  readonly predicates: readonly string[]
  readonly objects: Uint32Array
  readonly counts: Uint32Array
}

export function writeFacts(path: string, { subjects, predicates, objects, counts }: FactColumns): void {
  const columns = [
    { name: 'subject', type: 'int32', values: subjects },
    { name: 'predicate', type: 'string', values: predicates },
    { name: 'object', type: 'int32', values: objects },
    { name: 'count', type: 'int32', values: counts },
  ] as const
  writeTable(path, columns, schemaMetadata(SCHEMAS.facts))
}

export async function readFacts(path: string): Promise<FactColumns> {
  const table = await readTable(path)
  requireSchema(table, SCHEMAS.facts)
  return {
    subjects: Uint32Array.from(table.numbers('subject')),
    predicates: table.strings('predicate'),
    objects: Uint32Array.from(table.numbers('object')),
    counts: Uint32Array.from(table.numbers('count')),
  }
}

/** Communities as columns, one entry a row; communities are numbered by row. */
interface CommunityTableColumns {
  readonly ids: readonly string[]
  readonly levels: ArrayLike<number>
  /** Number of the parent, or -1. */
  readonly parents: ArrayLike<number>
  readonly children: readonly (readonly number[])[]
  readonly titles: readonly string[]
  readonly entityIds: readonly (readonly string[])[]
  readonly relationshipIds: readonly (readonly string[])[]
  readonly chunkIds: readonly (readonly string[])[]
}

/** Writes GraphRAG's columns but `period`: equal communities give equal files on every day. */
export function writeCommunities(path: string, communities: CommunityTableColumns): void {
  const numbers = communities.ids.map((_, row) => row)
  const columns = [
    { name: 'id', type: 'string', values: communities.ids },
    { name: 'human_readable_id', type: 'integer', values: numbers },
    { name: 'community', type: 'integer', values: numbers },
    { name: 'level', type: 'integer', values: communities.levels },
    { name: 'parent', type: 'integer', values: communities.parents },
    { name: 'children', type: 'integers', values: communities.children },
    { name: 'title', type: 'string', values: communities.titles },
    { name: 'entity_ids', type: 'strings', values: communities.entityIds },
    { name: 'relationship_ids', type: 'strings', values: communities.relationshipIds },
    { name: 'text_unit_ids', type: 'strings', values: communities.chunkIds },
    { name: 'size', type: 'integer', values: communities.entityIds.map((ids) => ids.length) },
  ] as const
  writeTable(path, columns, schemaMetadata(SCHEMAS.communities))
}
