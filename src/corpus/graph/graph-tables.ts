import { join } from 'node:path'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type EntityColumns, readEntities, writeEntities } from '../../tables/entities.ts'
import { readRelationships, writeRelationships } from '../../tables/relationships.ts'
import type { Chunk } from '../../types.ts'
import { assembleGraph } from './assemble.ts'
import { type Incidence, membersOf } from './csr.ts'
import type { Graph } from './graph.ts'

/** Stores a graph: tables with GraphRAG's columns, and its numbers as arrays. */
export function writeGraph(folder: string, graph: Graph, chunks: readonly Chunk[]): void {
  writeTables(folder, graph, chunks)
  writeArrays(join(folder, 'graph.safetensors'), arraysOf(graph), { chunks: String(chunks.length) })
}

function writeTables(folder: string, graph: Graph, chunks: readonly Chunk[]): void {
  const { entities, relationships } = graph
  const idsOf = (incidence: Incidence, size: number) =>
    Array.from({ length: size }, (_, row) =>
      Array.from(membersOf(incidence, row), (chunk) => chunks[chunk].id),
    )
  const columns: EntityColumns = { ...entities, chunkIds: idsOf(graph.chunksOfEntity, entities.size) }
  writeEntities(join(folder, 'entities.parquet'), columns)
  writeRelationships(join(folder, 'relationships.parquet'), {
    ...relationships,
    sources: Array.from(relationships.sources, (row) => entities.names[row]),
    targets: Array.from(relationships.targets, (row) => entities.names[row]),
    chunkIds: idsOf(graph.chunksOfRelationship, relationships.size),
  })
}

function arraysOf({ chunksOfEntity, chunksOfRelationship, relationships }: Graph) {
  return {
    'entity_chunks.offsets': chunksOfEntity.offsets,
    'entity_chunks.members': chunksOfEntity.members,
    'entity_chunks.counts': chunksOfEntity.counts,
    'relationship_chunks.offsets': chunksOfRelationship.offsets,
    'relationship_chunks.members': chunksOfRelationship.members,
    'relationship_chunks.counts': chunksOfRelationship.counts,
    sources: relationships.sources,
    targets: relationships.targets,
  }
}

export async function readGraph(folder: string): Promise<Graph> {
  const { arrays, metadata } = readArrays(join(folder, 'graph.safetensors'))
  const rows = (name: string) => arrays[name] as Uint32Array
  const incidence = (name: string): Incidence => ({
    offsets: rows(`${name}.offsets`),
    members: rows(`${name}.members`),
    counts: rows(`${name}.counts`),
  })
  const entities = await readEntities(join(folder, 'entities.parquet'))
  const relationships = await readRelationships(join(folder, 'relationships.parquet'))
  return assembleGraph({
    keys: entities.keys,
    names: entities.names,
    types: entities.types,
    entityDescriptions: entities.descriptions,
    entityChunks: incidence('entity_chunks'),
    sources: rows('sources'),
    targets: rows('targets'),
    weights: relationships.weights,
    relationshipDescriptions: relationships.descriptions,
    keywords: relationships.keywords,
    relations: relationships.relations,
    relationshipChunks: incidence('relationship_chunks'),
    chunks: Number(metadata.chunks),
  })
}
