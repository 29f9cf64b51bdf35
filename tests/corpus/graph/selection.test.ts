import { describe, expect, it } from 'vitest'
import { buildCsr, buildIncidence, type Incidence } from '../../../src/corpus/graph/csr.ts'
import type { Communities, Reports } from '../../../src/corpus/graph/graph.ts'
import { neighborhood } from '../../../src/corpus/graph/neighbors.ts'
import { rollReports } from '../../../src/corpus/graph/reports/assemble.ts'
import { descend, descendBy } from '../../../src/retrieve/steps/read-reports.ts'

/** Members of each row in turn. */
function incidence(rows: readonly (readonly number[])[], range: number): Incidence {
  return buildIncidence(
    rows.length,
    { rows: rows.flatMap((members, row) => members.map(() => row)), members: rows.flat() },
    range,
  )
}

describe('GraphRAG Local', () => {
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

describe('walks and neighbourhoods', () => {
  it('a neighbourhood holds each node once, at its nearest start', () => {
    const csr = buildCsr(4, { sources: [0, 1, 2], targets: [1, 2, 3] })
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
