import { createHash } from 'node:crypto'
import { buildCsr, buildIncidence, type Incidence, rowSizes, transpose } from './csr.ts'
import type { Graph } from './graph.ts'

/** Stored columns of a graph; all others are derived from them. */
interface GraphColumns {
  readonly keys: readonly string[]
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly entityDescriptions: readonly string[]
  /** Entity -> chunk rows. */
  readonly entityChunks: Incidence
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
  readonly relationshipDescriptions: readonly string[]
  readonly keywords: readonly string[]
  readonly relations: readonly (readonly string[])[]
  /** Relationship -> chunk rows. */
  readonly relationshipChunks: Incidence
  readonly chunks: number
}

export function assembleGraph(columns: GraphColumns): Graph {
  const { keys, sources, targets, weights, chunks } = columns
  const { csr } = buildCsr(keys.length, { sources, targets, weights })
  const degree = rowSizes(csr)
  const ids = keys.map(entityId)
  return {
    entities: {
      size: keys.length,
      ids,
      keys,
      names: columns.names,
      types: columns.types,
      descriptions: columns.entityDescriptions,
      degrees: degree,
    },
    relationships: {
      size: sources.length,
      ids: Array.from(sources, (source, row) => relationshipId(ids[source], ids[targets[row]])),
      sources,
      targets,
      weights,
      descriptions: columns.relationshipDescriptions,
      keywords: columns.keywords,
      relations: columns.relations,
      combinedDegrees: sources.map((source, row) => degree[source] + degree[targets[row]]),
    },
    chunksOfEntity: columns.entityChunks,
    entitiesOfChunk: transpose(columns.entityChunks, chunks),
    chunksOfRelationship: columns.relationshipChunks,
    relationshipsOfEntity: relationshipsOfEntity(columns),
    csr,
    chunks,
  }
}

function relationshipsOfEntity({ keys, sources, targets }: GraphColumns): Incidence {
  const count = sources.length
  const rows = new Uint32Array(2 * count)
  rows.set(sources)
  rows.set(targets, count)
  const members = rows.map((_, i) => i % count)
  return buildIncidence(keys.length, { rows, members }, count)
}

function entityId(key: string): string {
  return createHash('sha256').update(`entity\0${key}`).digest('hex').slice(0, 32)
}

/** Id of a relationship: half of each end's id. Collisions are as unlikely as for a hash, and it is much cheaper. */
function relationshipId(sourceId: string, targetId: string): string {
  return sourceId.slice(0, 16) + targetId.slice(0, 16)
}
