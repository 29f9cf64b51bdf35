import { describe, expect, it } from 'vitest'
import { incidenceOf } from '../../../src/corpus/graph/csr.ts'
import { rankList } from '../../../src/ranking/rank-list.ts'
import { anyLinked, rankLight } from '../../../src/retrieve/steps/lightrag.ts'
import { outputsOf } from './prepared.ts'

/** Entities ann 0, bob 1, cy 2, dan 3 in a row, related to the next one; chunk r names the entities r - 1 and r. */
const graph = {
  chunksOfEntity: incidenceOf([[0, 1], [1, 2], [2, 3], [3]], 4),
  chunksOfRelationship: incidenceOf([[1], [2], [3]], 4),
  relationshipsOfEntity: incidenceOf([[0], [0, 1], [1, 2], [2]], 3),
  relationships: {
    sources: Uint32Array.of(0, 1, 2),
    targets: Uint32Array.of(1, 2, 3),
    weights: Float64Array.of(1, 5, 1),
    combinedDegrees: Uint32Array.of(3, 4, 3),
  },
}
const texts = {
  entity: (row: number) => `entity ${row}`,
  relationship: (row: number) => `relationship ${row}`,
  sizes: { entity: () => 3000, relationship: () => 4000 },
}
const cosines = [0.1, 0.9, 0.5, 0.3]
const dense = { cosines: (chunks: readonly number[]) => chunks.map((chunk) => cosines[chunk]) }
const artifacts = { graph, texts, dense, chunks: [5, 5, 5, 5].map((tokens) => ({ tokens })) }
const ranking = (rows: number[], scores = rows.map((_, at) => 1 - at / 10)) => ({
  rows: Uint32Array.from(rows),
  scores: Float64Array.from(scores),
})
const rowsOf = ({ rows }: { rows: ArrayLike<number> }) => Array.from(rows)

describe("LightRAG's steps", () => {
  it('rank the lists in turn, as many chunks as fit beside the evidence', () => {
    const evidence = [{ tokens: 7 }, { tokens: 3 }]
    const rank = (contextTokens: number, depth: number) =>
      outputsOf(
        rankLight,
        [[evidence, ranking([0, 1]), ranking([2, 1])] as never],
        { contextTokens, depth },
        artifacts,
      )[0]
    expect(rank(25, 10)).toEqual(rankList([0, 2, 1]))
    expect(rank(24, 10)).toEqual(rankList([0, 2]))
    expect(rank(25, 1)).toEqual(rankList([0]))
  })

  it('tell whether anything is linked: an entity, else a relationship', () => {
    const [some, others, none] = [ranking([4]), ranking([7, 8]), ranking([])]
    expect(
      outputsOf(
        anyLinked,
        [
          [some, others],
          [none, others],
          [some, none],
          [none, none],
        ],
        null,
        {},
      ).map(rowsOf),
    ).toEqual([[4], [7, 8], [4], []])
  })
})
