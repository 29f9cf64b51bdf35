import { containableAnswers } from '../../text/answers.ts'
import { entityKey } from '../../text/entity-key.ts'
import type { Csr } from './csr.ts'
import type { ExtractionCounts } from './extract.ts'
import type { Graph } from './graph.ts'
import { components } from './neighbors.ts'

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
    largestComponent: sizes.reduce((max, size) => Math.max(max, size), 0),
    isolatedEntities: entities.degrees.reduce((count, degree) => count + (degree === 0 ? 1 : 0), 0),
    chunks,
    isolatedChunks,
    entitiesPerChunk: chunks === 0 ? 0 : entitiesOfChunk.members.length / chunks,
    extractors,
  }
}

/** What Title PPR's graph is like: without links its walk goes nowhere. */
interface TitleStatistics {
  /** Pairs of passages of which one mentions the other's title. */
  readonly titleLinks: number
  /** Connected components of passages, those of a single passage included. */
  readonly titleComponents: number
  /** Passages in the largest component. */
  readonly largestTitleComponent: number
  /** Passages that mention no title of another, and whose own no other mentions. */
  readonly chunksWithoutTitleLink: number
}

export function titleStatistics(csr: Csr): TitleStatistics {
  const { sizes } = components(csr)
  return {
    titleLinks: csr.targets.length / 2,
    titleComponents: sizes.length,
    largestTitleComponent: sizes.reduce((max, size) => Math.max(max, size), 0),
    chunksWithoutTitleLink: sizes.filter((size) => size === 1).length,
  }
}

/**
 * Queries by whether an entity of the graph is the answer, by key: `asked` have an answer that a text could contain (yes
 * and no are none), and of these `present` have one among `keys`.
 */
export function answersAmong(
  keys: readonly string[],
  answers: readonly (readonly string[])[],
): { readonly asked: number; readonly present: number } {
  const known = new Set(keys)
  let [asked, present] = [0, 0]
  for (const own of answers) {
    const names = own.filter((answer) => containableAnswers([answer]).length > 0)
    if (names.length === 0) continue
    asked++
    if (names.some((answer) => known.has(entityKey(answer)))) present++
  }
  return { asked, present }
}
