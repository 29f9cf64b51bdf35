import { describe, expect, it } from 'vitest'
import { buildCsr, buildIncidence, type Incidence } from '../../../src/corpus/graph/csr.ts'
import type { Communities, Graph, Reports } from '../../../src/corpus/graph/graph.ts'
import { neighborhood } from '../../../src/corpus/graph/neighbors.ts'
import { rollReports } from '../../../src/corpus/graph/reports/assemble.ts'
import { chunksOfOwners, cutLight, pickChunks, selectLight } from '../../../src/retrieve/steps/lightrag.ts'
import { localContext, orderSources } from '../../../src/retrieve/steps/local-search.ts'
import { descend, descendBy } from '../../../src/retrieve/steps/read-reports.ts'

/** Members of each row in turn. */
function incidence(rows: readonly (readonly number[])[], range: number): Incidence {
  return buildIncidence(
    rows.length,
    { rows: rows.flatMap((members, row) => members.map(() => row)), members: rows.flat() },
    range,
  )
}

/**
 * Entities ann 0, bob 1, cy 2, dan 3; relationships ann-bob 0 (in chunk 1), bob-cy 1 (chunk 2), cy-dan 2 (chunk 3).
 * Chunks: 0 ann; 1 ann and bob; 2 bob and cy; 3 cy and dan.
 */
const graph = {
  chunksOfEntity: incidence([[0, 1], [1, 2], [2, 3], [3]], 4),
  chunksOfRelationship: incidence([[1], [2], [3]], 4),
  relationshipsOfEntity: incidence([[0], [0, 1], [1, 2], [2]], 3),
  relationships: {
    sources: Uint32Array.of(0, 1, 2),
    targets: Uint32Array.of(1, 2, 3),
    weights: Float64Array.of(1, 5, 1),
    combinedDegrees: Uint32Array.of(3, 4, 3),
  },
} as unknown as Graph

describe('GraphRAG Local', () => {
  it('orders sources by entity, then by how many of its relationships stand there; each chunk once', () => {
    expect(orderSources([0, 1], graph)).toEqual([1, 0, 2])
    expect(orderSources([1, 0], graph)).toEqual([1, 2, 0])
  })

  const sizes = { entity: () => 10, relationship: () => 10 }
  const reports = {
    reportsOfEntity: incidence([[0, 1], [1], [], []], 2),
    ranks: Float64Array.of(9, 1),
    tokens: Uint32Array.of(10, 10),
  }
  const tables = { graph, reports, sizes, chunkTokens: [10, 10, 10, 10] }
  const options = { contextTokens: 100, sourceShare: 0.5, reportShare: 0.2, relationshipsPerEntity: 10 }

  it('orders reports by selected members before rank, and fills each share of the budget', () => {
    expect(localContext([0, 1], tables, options)).toEqual({
      entities: [0, 1],
      relationships: [0],
      reports: [1, 0],
      sources: [1, 0, 2],
    })
  })
  it('stops each kind at the first text that does not fit', () => {
    const { sources, reports, entities } = localContext([0, 1], tables, { ...options, contextTokens: 40 })
    expect({ sources, reports, entities }).toEqual({ sources: [1, 0], reports: [], entities: [0] })
  })

  const communities = {
    depth: 2,
    levels: Uint32Array.of(0, 0, 1),
    children: [[2], [], []],
    parents: Int32Array.of(-1, -1, 0),
    entities: incidence([[0, 1], [2], [0, 1]], 3),
  } as unknown as Communities
  const written = {
    size: 3,
    communities: Uint32Array.of(0, 1, 2),
    ranks: new Float64Array(3),
    tokens: new Uint32Array(3),
  } as unknown as Reports

  it('rolls reports up to a level: of a divided community only its parts', () => {
    const membersAt = (level: number) => {
      const { offsets, members } = rollReports(written, communities, level, 3).reportsOfEntity
      return [0, 1, 2].map((entity) => [...members.slice(offsets[entity], offsets[entity + 1])])
    }
    expect(membersAt(1)).toEqual([[2], [2], [1]])
    expect(membersAt(0)).toEqual([[0], [0], [1]])
  })
  it('descends into children of what is relevant, and drops a parent for its child', () => {
    const from = (...ratings: number[]) =>
      descendBy(descend(written, communities, 1, 1), (row) => ratings[row])
    expect(from(3, 0, 2)).toEqual({ kept: [2], rated: [0, 1, 2] })
    expect(from(3, 0, 0)).toEqual({ kept: [0], rated: [0, 1, 2] })
    expect(from(0, 0, 5)).toEqual({ kept: [2], rated: [0, 1, 2] })
    expect(from(0, 1, 5)).toEqual({ kept: [1], rated: [0, 1] })
  })
})

describe('LightRAG', () => {
  it('reads relationships of entities by degrees and weight, and the ends of relationships', () => {
    expect(selectLight([1], [], graph, 'local')).toEqual({ entities: [1], relationships: [1, 0] })
    expect(selectLight([], [2], graph, 'global')).toEqual({ entities: [2, 3], relationships: [2] })
    expect(selectLight([1], [2], graph, 'hybrid')).toEqual({ entities: [1, 2, 3], relationships: [1, 2, 0] })
  })
  it('cuts both at their budgets', () => {
    const sizes = { entity: () => 3000, relationship: () => 8001 }
    const selection = { entities: [0, 1, 2], relationships: [0, 1] }
    expect(cutLight(selection, sizes)).toEqual({ entities: [0, 1], relationships: [] })
  })
  it('gives a chunk to its first owner; within an owner, what more owners hold comes first', () => {
    expect(chunksOfOwners([0, 1, 2], graph.chunksOfEntity)).toEqual([[1, 0], [2], [3]])
    expect(chunksOfOwners([0, 1], graph.chunksOfEntity, new Set([0, 1]))).toEqual([[2]])
  })
  it('picks by cosine, or by polling', () => {
    const owned = [
      [1, 0, 5, 4, 7, 6],
      [2, 3],
    ]
    expect(pickChunks(owned, 'vector', (chunks) => chunks)).toEqual([7, 6, 5, 4, 3])
    expect(pickChunks(owned, 'weight', () => [])).toEqual([1, 0, 5, 4, 7, 2])
    expect(pickChunks([], 'vector', () => [])).toEqual([])
  })
})

describe('walks and neighbourhoods', () => {
  it('a neighbourhood holds each node once, at its nearest start', () => {
    const { csr } = buildCsr(4, { sources: [0, 1, 2], targets: [1, 2, 3] })
    expect(neighborhood(csr, [0, 2], 1)).toEqual([
      { node: 0, hops: 0, from: 0 },
      { node: 2, hops: 0, from: 1 },
      { node: 1, hops: 1, from: 0 },
      { node: 3, hops: 1, from: 1 },
    ])
    expect(neighborhood(csr, [0], 0)).toEqual([{ node: 0, hops: 0, from: 0 }])
    expect(neighborhood(csr, [0], 2).map(({ node, hops }) => [node, hops])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
  })
})
