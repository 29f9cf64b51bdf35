import { readTable, writeTable } from './parquet.ts'
import { requireSchema, schemaMetadata } from './schema.ts'

const SCHEMA = { name: 'entities', version: 1 }

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
  writeTable(path, columns, schemaMetadata(SCHEMA))
}

/** Reads the texts of what `writeEntities` wrote. */
export async function readEntities(
  path: string,
): Promise<Pick<EntityColumns, 'keys' | 'names' | 'types' | 'descriptions'>> {
  const table = await readTable(path, ['key', 'title', 'type', 'description'])
  requireSchema(table, SCHEMA)
  return {
    keys: table.strings('key'),
    names: table.strings('title'),
    types: table.strings('type'),
    descriptions: table.strings('description'),
  }
}
