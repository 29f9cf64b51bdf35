import { readTable, writeTable } from './parquet.ts'
import { requireSchema, schemaMetadata } from './schema.ts'

const SCHEMA = { name: 'relationships', version: 2 }

/** Relationships as columns, one entry a row. */
export interface RelationshipColumns {
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
  writeTable(path, columns, schemaMetadata(SCHEMA))
}

/** Reads the texts and weights of what `writeRelationships` wrote. */
export async function readRelationships(
  path: string,
): Promise<Pick<RelationshipColumns, 'descriptions' | 'keywords' | 'relations'> & { weights: Float64Array }> {
  const table = await readTable(path, ['description', 'keywords', 'weight', 'relation'])
  requireSchema(table, SCHEMA)
  return {
    descriptions: table.strings('description'),
    keywords: table.strings('keywords'),
    relations: table.lists('relation'),
    weights: Float64Array.from(table.numbers('weight')),
  }
}
