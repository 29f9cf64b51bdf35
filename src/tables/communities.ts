import { writeTable } from './parquet.ts'
import { schemaMetadata } from './schema.ts'

const SCHEMA = { name: 'communities', version: 1 }

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
  writeTable(path, columns, schemaMetadata(SCHEMA))
}
