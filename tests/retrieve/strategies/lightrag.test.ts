import { describe, expect, it } from 'vitest'
import { incidenceOf } from '../../../src/corpus/graph/csr.ts'
import { rankList } from '../../../src/ranking/rank-list.ts'
import {
  anyLinked,
  citeLight,
  cutDense,
  pickEntityChunks,
  pickRelationshipChunks,
  rankLight,
  selectLightContext,
} from '../../../src/retrieve/strategies/lightrag/steps.ts'
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
  it('select what was linked and what is around it, within two budgets', () => {
    const select = (sides: string, linked: object[]) =>
      outputsOf(selectLightContext, [linked as never], { sides } as never, artifacts)[0]
    expect(select('local', [ranking([1])])).toEqual({ entities: [1], relationships: [1, 0] })
    expect(select('global', [ranking([2])])).toEqual({ entities: [2, 3], relationships: [2] })
    const both = [ranking([1]), ranking([2])]
    expect(select('hybrid', both)).toEqual({ entities: [1, 2], relationships: [1, 2] })
  })

  it('cite entities, then relationships', () => {
    const selection = { entities: [2, 0], relationships: [1] }
    expect(outputsOf(citeLight, [[selection]], null, artifacts)).toEqual([
      ['entity 2', 'entity 0', 'relationship 1'],
    ])
  })

  it('pick chunks of entities, those of several entities first, or by their cosine', () => {
    const selection = { entities: [0, 1], relationships: [] }
    const pick = (how: 'vector' | 'weight', mask?: object) =>
      outputsOf(
        pickEntityChunks,
        [[selection, new Float32Array(1), ...(mask ? [mask] : [])] as never],
        { pick: how },
        artifacts,
      )[0]
    // Chunk 1 is of both: ann's first, and none of bob's.
    expect(pick('weight')).toEqual(rankList([1, 0, 2]))
    expect(pick('vector')).toEqual(rankList([1, 2, 0]))
    expect(pick('vector', { kept: Uint8Array.of(1, 0, 1, 1) })).toEqual(rankList([2, 0]))
  })

  it('pick chunks of relationships without those of the entities', () => {
    const selection = { entities: [], relationships: [0, 1] }
    const pick = (picked: number[]) =>
      rowsOf(
        outputsOf(
          pickRelationshipChunks,
          [[selection, new Float32Array(1), ranking(picked)]],
          { pick: 'vector' },
          artifacts,
        )[0],
      )
    expect([pick([]), pick([1]), pick([1, 2])]).toEqual([[1, 2], [2], []])
  })

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

  it('cut a dense ranking by number and above a cosine', () => {
    const cut = (chunks: number, above: number) =>
      rowsOf(outputsOf(cutDense, [[ranking([3, 1, 2], [0.9, 0.5, 0.2])]], { chunks, above }, {})[0])
    expect([cut(5, 0.2), cut(1, 0.2), cut(5, 0.1), cut(5, 0.9)]).toEqual([[3, 1], [3], [3, 1, 2], []])
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
