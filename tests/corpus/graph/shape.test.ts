import { expect, test } from 'vitest'
import { buildCsr, buildIncidence } from '../../../src/corpus/graph/csr.ts'
import type { Graph } from '../../../src/corpus/graph/graph.ts'
import { graphShape } from '../../../src/corpus/graph/shape.ts'

/** Members of each row in turn. */
const incidence = (rows: readonly (readonly number[])[], range: number) =>
  buildIncidence(
    rows.length,
    { rows: rows.flatMap((members, row) => members.map(() => row)), members: rows.flat() },
    range,
  )

const NAMES = [
  'Lomm',
  'Orrin',
  'Tarn',
  'Port Ellery',
  'ORRIN!',
  '...',
  'zed',
  'Zed',
  'Ab c',
  'ab C',
  'AB c',
  'last',
]
const NONE = Array.from({ length: 8 }, () => [])

/** Lomm, Orrin, Tarn and Port Ellery in a row; Orrin is in two chunks, and the last chunk names nobody. */
function graphOf(chunks = 5): Graph {
  const ofChunk = Array.from({ length: chunks }, (_, chunk) => [[0], [1], [1, 2], [3]][chunk] ?? [])
  return {
    entities: { size: 12, names: NAMES, degrees: Uint32Array.of(1, 2, 3, 4, 7, 8, 0, 0, 0, 0, 0, 5) },
    relationships: { size: 3 },
    csr: buildCsr(12, { sources: [0, 1, 2], targets: [1, 2, 3] }).csr,
    chunksOfEntity: incidence([[0], [1, 2], [2], [3], ...NONE], chunks),
    entitiesOfChunk: incidence(ofChunk, 12),
    chunks,
  } as unknown as Graph
}

test('the shape of a graph: neighbours, the largest entities, and names that are alike', () => {
  const largest = [
    ['...', 8, 0],
    ['ORRIN!', 7, 0],
    ['last', 5, 0],
    ['Port Ellery', 4, 1],
    ['Tarn', 3, 1],
    ['Orrin', 2, 2],

    ['Lomm', 1, 1],
    ['zed', 0, 0],
    ['Zed', 0, 0],
    ['Ab c', 0, 0],
  ]
  expect(graphShape(graphOf())).toEqual({
    degrees: [
      { from: 0, to: 0, entities: 5 },
      { from: 1, to: 1, entities: 1 },
      { from: 2, to: 3, entities: 2 },
      { from: 4, to: 7, entities: 3 },
      { from: 8, to: 15, entities: 1 },
    ],
    largest: largest.map(([name, neighbors, chunks]) => ({ name, neighbors, chunks })),
    // Chunks 1 and 2, 0 and 2, 0, 1 and 3, 2, and none.
    neighborsPerChunk: (2 + 2 + 3 + 1 + 0) / 5,
    duplicates: [
      ['Ab c', 'ab C', 'AB c'],
      ['Orrin', 'ORRIN!'],
      ['zed', 'Zed'],
    ],
  })
})
