import { containableAnswers } from '../../text/answers.ts'
import { entityKey } from '../../text/entity-key.ts'
import type { Csr } from './csr.ts'
import type { ExtractionCounts } from './extract.ts'
import type { Graph } from './graph.ts'
import { components } from './neighbors.ts'

export interface GraphStatistics {
  readonly entities: number
  readonly relationships: number
  /** Connected components of entities, including single entities. */
  readonly components: number
  readonly largestComponent: number
  readonly isolatedEntities: number
  readonly chunks: number
  /** Chunks without an entity: no walk over entities reaches them. */
  readonly isolatedChunks: number
  readonly entitiesPerChunk: number
  /** Counts of found and skipped records by extractor. */
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

interface TitleStatistics {
  /** Pairs of passages with a mention of a title. */
  readonly titleLinks: number
  /** Connected components of passages, including single passages. */
  readonly titleComponents: number
  readonly largestTitleComponent: number
  /** Passages without a title link in either direction. */
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
 * Counts queries whose answer is an entity: `asked` have an answer that a text could contain (not yes or no), `present` of
 * them have one among `keys`.
 */
export function answersAmong(
  keys: readonly string[],
  answers: readonly (readonly string[])[],
): { readonly asked: number; readonly present: number } {
  const keySet = new Set(keys)
  let [asked, present] = [0, 0]
  for (const alternatives of answers) {
    const names = alternatives.filter((answer) => containableAnswers([answer]).length > 0)
    if (names.length === 0) continue
    asked++
    if (names.some((answer) => keySet.has(entityKey(answer)))) present++
  }
  return { asked, present }
}
