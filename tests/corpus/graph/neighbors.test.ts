import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildIncidence } from '../../../src/corpus/graph/csr.ts'
import type { Graph } from '../../../src/corpus/graph/graph.ts'
import { byEntities, byRelationships, gains, type Neighbors } from '../../../src/corpus/graph/neighbors.ts'

const CHUNKS = 8
const ENTITIES = 6

/** A graph of so many chunks and entities, of which pairs stand in one another and are related. */
function graphOf(mentions: readonly [number, number][], related: readonly [number, number][]): Graph {
  const incidence = (pairs: readonly [number, number][], rows: number, range: number) =>
    buildIncidence(
      rows,
      { rows: pairs.map(([row]) => row), members: pairs.map(([, member]) => member) },
      range,
    )
  const both = related.flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]) as [number, number][]
  const { offsets, members } = incidence(both, ENTITIES, ENTITIES)
  return {
    entitiesOfChunk: incidence(mentions, CHUNKS, ENTITIES),
    chunksOfEntity: incidence(
      mentions.map(([chunk, entity]) => [entity, chunk]),
      ENTITIES,
      CHUNKS,
    ),
    csr: { nodes: ENTITIES, offsets, targets: members },
  } as unknown as Graph
}

test('a walk that follows a name once gains what one gains that follows it every time', () => {
  const pairs = (a: number, b: number) => fc.array(fc.tuple(fc.nat(a - 1), fc.nat(b - 1)), { maxLength: 25 })
  fc.assert(
    fc.property(
      pairs(CHUNKS, ENTITIES),
      pairs(ENTITIES, ENTITIES),
      fc.uniqueArray(fc.nat(CHUNKS - 1), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (mentions, related, starts, hops) => {
        const graph = graphOf(mentions as [number, number][], related as [number, number][])
        for (const neighbors of [byEntities(graph), byRelationships(graph)]) {
          const plain: Neighbors = () => (chunk, visit) => neighbors()(chunk, visit)
          const params = { hops, boost: 0.5, decay: 0.5 }
          expect([...gains(neighbors, starts, params)]).toEqual([...gains(plain, starts, params)])
        }
      },
    ),
  )
})
