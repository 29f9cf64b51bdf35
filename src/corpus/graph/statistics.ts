import { addTo } from '../../maps.ts'
import { containableAnswers } from '../../text/answers.ts'
import { entityKey, spacedKey } from '../../text/entity-key.ts'
import { type Csr, membersOf, rowSizes } from './csr.ts'
import type { Graph } from './graph.ts'
import { byRelationships, components, meanNeighbors, neighborhood } from './neighbors.ts'
import { findKeys, indexKeys, longestSpans } from './titles.ts'

/** Counts of found and skipped records by extractor: `{openie: {entities: 19102, malformedTriples: 185}}`. */
export type ExtractionCounts = Readonly<Record<string, Readonly<Record<string, number>>>>

export function graphStatistics(graph: Graph, extractors: ExtractionCounts) {
  const { entities, relationships, entitiesOfChunk, csr, chunks } = graph
  const { sizes } = components(csr)
  return {
    entities: entities.size,
    relationships: relationships.size,
    components: sizes.length,
    largestComponent: sizes.reduce((max, size) => Math.max(max, size), 0),
    isolatedEntities: entities.degrees.filter((degree) => degree === 0).length,
    chunks,
    // No walk over entities reaches them.
    isolatedChunks: rowSizes(entitiesOfChunk).filter((size) => size === 0).length,
    entitiesPerChunk: chunks === 0 ? 0 : entitiesOfChunk.members.length / chunks,
    extractors,
  }
}

export function titleStatistics(csr: Csr) {
  const { sizes } = components(csr)
  return {
    titleLinks: csr.targets.length / 2,
    titleComponents: sizes.length,
    largestTitleComponent: sizes.reduce((max, size) => Math.max(max, size), 0),
    chunksWithoutTitleLink: sizes.filter((size) => size === 1).length,
  }
}

/** Counts of queries with an answer that a text could contain (`asked`), and of those with an answer among `keys` (`present`). */
export function answersAmong(
  keys: readonly string[],
  answers: readonly (readonly string[])[],
): { readonly asked: number; readonly present: number } {
  const keySet = new Set(keys)
  const asked = answers
    .map((alternatives) => alternatives.filter((answer) => containableAnswers([answer]).length > 0))
    .filter((names) => names.length > 0)
  const present = asked.filter((names) => names.some((answer) => keySet.has(entityKey(answer))))
  return { asked: asked.length, present: present.length }
}

const SHOWN = 10
const SAMPLE = 1000

/**
 * Shape of a graph: entities by number of neighbours (0, 1, 2 to 3, 4 to 7, and so on); those with the most neighbours; the mean
 * number of chunks to which relationships lead from a chunk, over `SAMPLE` chunks; groups of names that differ by signs or letter
 * case alone, largest first.
 */
export function graphShape(graph: Graph) {
  const { entities, chunksOfEntity, chunks } = graph
  const buckets = new Map<number, number>()
  for (const degree of entities.degrees) {
    const bucket = degree === 0 ? 0 : 2 ** Math.floor(Math.log2(degree))
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1)
  }
  const rows = Array.from({ length: entities.size }, (_, row) => row)
  rows.sort((a, b) => entities.degrees[b] - entities.degrees[a] || a - b)
  const groups = new Map<string, string[]>()
  for (const name of entities.names) {
    const key = entityKey(name)
    addTo(groups, key, name)
  }
  const step = Math.max(1, Math.ceil(chunks / SAMPLE))
  const sample = Array.from({ length: Math.ceil(chunks / step) }, (_, i) => i * step)
  return {
    degrees: [...buckets]
      .sort(([a], [b]) => a - b)
      .map(([from, entities]) => ({ from, to: Math.max(from, 2 * from - 1), entities })),
    largest: rows
      .slice(0, SHOWN)
      .map((row) => ({
        name: entities.names[row],
        neighbors: entities.degrees[row],
        chunks: chunksOfEntity.offsets[row + 1] - chunksOfEntity.offsets[row],
      })),
    neighborsPerChunk: meanNeighbors(byRelationships(graph), sample),
    duplicates: [...groups.values()]
      .filter(({ length }) => length > 1)
      .sort((a, b) => b.length - a.length || (a[0] < b[0] ? -1 : 1)),
  }
}

/** Query with the chunk rows that contain each gold label. */
export interface QueryGold {
  readonly text: string
  readonly gold: readonly ReadonlySet<number>[]
}

/** Finds the entities that a text names, as whole words, longest name first. */
function findNamed({ entities }: Pick<Graph, 'entities'>): (text: string) => number[] {
  const index = indexKeys(entities.names.map((name) => [spacedKey(name)].filter((key) => key !== '')))
  return (text) =>
    longestSpans(findKeys(spacedKey(text).split(' '), index)).flatMap(({ key }) => index.rows.get(key) ?? [])
}

/** Walks from the entities that a query names. Shares of gold are means over labels. */
export function goldReach(graph: Graph, queries: readonly QueryGold[], hops: number) {
  const { chunksOfEntity, csr, chunks } = graph
  const namedIn = findNamed(graph)
  const totals = Array.from({ length: hops + 1 }, () => ({ gold: 0, chunks: 0 }))
  let [linked, labels] = [0, 0]
  for (const { text, gold } of queries) {
    const named = namedIn(text)
    if (named.length > 0) linked++
    labels += gold.length
    const reached = neighborhood(csr, named, hops)
    const rows = new Set<number>()
    for (let distance = 0, at = 0; distance <= hops; distance++) {
      for (; at < reached.length && reached[at].hops === distance; at++)
        for (const chunk of membersOf(chunksOfEntity, reached[at].node)) rows.add(chunk)
      totals[distance].gold += gold.filter((label) => [...label].some((row) => rows.has(row))).length
      totals[distance].chunks += rows.size
    }
  }
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
  return {
    queries: queries.length,
    linked: share(linked, queries.length),
    byHops: totals.map(({ gold, chunks: rows }, distance) => ({
      hops: distance,
      gold: share(gold, labels),
      chunks: share(rows, queries.length * chunks),
    })),
  }
}
