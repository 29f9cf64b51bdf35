import { components } from './components.ts'
import type { ExtractionCounts } from './extract.ts'
import type { Graph } from './graph.ts'

/** What a graph is like; stands in every report on a run that used it. */
export interface GraphStatistics {
  readonly entities: number
  readonly relationships: number
  /** Connected components of entities, those of a single entity included. */
  readonly components: number
  /** Entities in the largest component. */
  readonly largestComponent: number
  /** Entities without a relationship. */
  readonly isolatedEntities: number
  readonly chunks: number
  /** Chunks without an entity: no walk over entities reaches them. */
  readonly isolatedChunks: number
  /** Mean number of distinct entities in a chunk. */
  readonly entitiesPerChunk: number
  /** What each extractor found and skipped. */
  readonly extractors: ExtractionCounts
}

export function graphStatistics(graph: Graph, extractors: ExtractionCounts): GraphStatistics {
  const { entities, relationships, entitiesOfChunk, csr, chunks } = graph
  const { sizes } = components(csr)
  let isolatedChunks = 0
  for (let chunk = 0; chunk < chunks; chunk++)
    if (entitiesOfChunk.offsets[chunk] === entitiesOfChunk.offsets[chunk + 1]) isolatedChunks++
  return {
    entities: entities.size,
    relationships: relationships.size,
    components: sizes.length,
    largestComponent: sizes.reduce((most, size) => Math.max(most, size), 0),
    isolatedEntities: entities.degrees.reduce((count, degree) => count + (degree === 0 ? 1 : 0), 0),
    chunks,
    isolatedChunks,
    entitiesPerChunk: chunks === 0 ? 0 : entitiesOfChunk.members.length / chunks,
    extractors,
  }
}
