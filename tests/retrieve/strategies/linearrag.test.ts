import { describe, expect, it } from 'vitest'
import { incidenceOf } from '../../../src/corpus/graph/csr.ts'
import { findTriGraph } from '../../../src/corpus/graph/tri-graph.ts'
import { activate, triReset } from '../../../src/retrieve/strategies/linearrag.ts'

/** Entities 0 to 3 in three sentences: {0, 1}, {1, 2}, {2, 3}. */
const entitiesOfSentence = incidenceOf(
  [
    [0, 1],
    [1, 2],
    [2, 3],
  ],
  4,
)
const sentencesOfEntity = incidenceOf([[0], [0, 1], [1, 2], [2]], 3)
const graph = { entitiesOfSentence, sentencesOfEntity }
const COSINES = [0.8, 0.5, 0.9]
const cosines = (sentences: readonly number[]) => sentences.map((sentence) => COSINES[sentence])
const seeds = { rows: Uint32Array.of(0), scores: Float64Array.of(1) }

describe('semantic bridging', () => {
  const options = { tiers: 3, sentences: 1, threshold: 0.4 }

  it('leads from the named entity along the sentences that are nearest to the query', () => {
    // Tier 2 by sentence 0: 0.8 to entities 0 and 1. Tier 3 by sentence 1: 0.8 * 0.5 = 0.4 to entities 1 and 2.
    const activated = activate(seeds, graph, cosines, options)
    expect([...activated.rows]).toEqual([0, 1, 2])
    expect(activated.weights[0]).toBeCloseTo(1 + 0.8)
    expect(activated.weights[1]).toBeCloseTo(0.8 + 0.4)
    expect(activated.weights[2]).toBeCloseTo(0.4)
    // Entity 1 is known by its last activation.
    expect(activated.scores[1]).toBeCloseTo(0.4)
    expect([...activated.tiers]).toEqual([2, 3, 3])
  })
})

describe('the start of the walk', () => {
  it('adds the cosine of a passage and the entities in it', () => {
    // Entity 0 stands twice in passage 0, entity 1 once in passage 1.
    const occurrences = {
      offsets: Uint32Array.of(0, 1, 2),
      members: Uint32Array.of(0, 1),
      counts: Uint32Array.of(2, 1),
    }
    const activated = {
      rows: Uint32Array.of(0, 1),
      weights: Float64Array.of(1, -0.2),
      scores: Float64Array.of(1, 0.5),
      tiers: Uint32Array.of(1, 2),
    }
    const { nodes, weights } = triReset(activated, [0.1, 0.3, 0.2], occurrences, {
      passageRatio: 2,
      passageWeight: 0.05,
    })
    expect([...nodes]).toEqual([0, 1, 2, 3, 4])
    expect(weights[0]).toBe(1)
    // A negative cosine weighs nothing.
    expect(weights[1]).toBe(0)
    expect(weights[2]).toBeCloseTo(0.05 * Math.log(1 + Math.log(3)))
    expect(weights[3]).toBeCloseTo(0.05 * (2 + Math.log(1 + (0.5 * Math.log(2)) / 2)))
    expect(weights[4]).toBeCloseTo(0.05)
  })
})

describe('the graph of entities, sentences and passages', () => {
  const passage = (documentId: string, position: number, text: string) => ({
    documentId,
    position,
    title: '',
    text,
  })
  const passages = [
    passage('a', 0, 'Ann met Bo. Ann left.'),
    passage('a', 1, 'Bo stayed in Rome.'),
    passage('b', 1, 'Annual fairs. Ann met Bo.'),
    passage('b', 2, 'More.'),
    passage('b', 0, 'Before.'),
  ]
  const entities = { keys: ['ann', 'bo', 'rome', 'unwritten'], size: 4 }
  const entitiesOfChunk = incidenceOf([[0, 1], [1, 2], [0, 3], [], []], 4)
  const found = findTriGraph(passages, { entities: entities as never, entitiesOfChunk })

  it('weighs a passage and its entities by share of occurrences, and the next passage of a document by 1', () => {
    const { offsets, targets, weights } = found.csr
    const edges = (node: number) =>
      [...targets.subarray(offsets[node], offsets[node + 1])].map((target, i) => [
        target,
        weights[offsets[node] + i],
      ])
    expect(edges(4)).toEqual([
      [0, 2 / 3],
      [1, 1 / 3],
      [5, 1],
    ])
    expect(edges(5)).toEqual([
      [1, 1 / 2],
      [2, 1 / 2],
      [4, 1],
    ])
    // A name that is not written there counts once.
    expect(edges(6)).toEqual([[0, 1 / 2], [3, 1 / 2], [7, 1] as const, [8, 1] as const])
    expect([edges(7), edges(8)]).toEqual([[[6, 1]], [[6, 1]]])
  })
})
