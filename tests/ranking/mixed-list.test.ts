import { expect, test } from 'vitest'
import { rankPairs } from '../../src/ranking/order.ts'
import { chunksOfList, listItems, type MixedItem, projectItems } from '../../src/ranking/project.ts'
import type { Ranking } from '../../src/types.ts'

const item = (text: string): MixedItem => {
  const kinds = { e: 'entity', r: 'relationship', c: 'chunk' } as const
  return { kind: kinds[text[0] as 'e'], row: Number(text.slice(1)) }
}
const items = (text: string) => text.split(' ').map(item)
const shown = (list: readonly MixedItem[]) => list.map(({ kind, row }) => `${kind[0]}${row}`).join(' ')
const entries = ({ rows, scores }: Ranking) => [...rows].map((row, i) => [row, Number(scores[i].toFixed(6))])

test.each([
  [
    9,
    [
      [4, 0.5],
      [2, 0.25],
    ],
  ],
  [
    4,
    [
      [4, 0.5],
      [2, 0.25],
    ],
  ],
  [3, [[4, 0.5]]],
  [1, []],
])('chunks of the first %s items score 1 / rank in the whole list, each once', (depth, expected) => {
  expect(entries(chunksOfList(items('e1 c4 c4 c2'), depth))).toEqual(
    expected.map(([row, score]) => [row, score]),
  )
})

const entities = rankPairs([1, 2], [0.9, 0.5], 2)
const relationships = rankPairs([7, 8], [0.9, 0.3], 2)
test.each([
  // 0.54 and 0.3 of entities, 0.36 and 0.12 of relationships.
  [0.6, 9, 'e1 r7 e2 r8'],
  [0.6, 3, 'e1 r7 e2'],
  // Equal: the entity first.
  [0.5, 9, 'e1 r7 e2 r8'],
  [0.2, 9, 'r7 r8 e1 e2'],
])("LightRAG's list with an entity's weight of %s, %s items", (weight, most, expected) => {
  expect(shown(listItems(entities, relationships, weight, most))).toBe(expected)
})

test.each([
  [
    9,
    undefined,
    [
      [1, 0.6],
      [0, 0.6],
      [2, 0.2],
    ],
  ],
  [1, undefined, [[1, 0.6]]],
  [
    9,
    [1, 0, 1],
    [
      [0, 0.6],
      [2, 0.2],
    ],
  ],
] as const)('chunks of both sides: depth %s, within %o', (depth, within, expected) => {
  // An entity (1) in chunks 0 and 1, a relationship (0.5) in chunks 1 and 2; 0.6 to 0.4.
  const side = (score: number, chunks: number[]) => ({
    items: rankPairs([0], [score], 1),
    holders: { offsets: Uint32Array.of(0, chunks.length), members: Uint32Array.from(chunks) },
  })
  const mask = within && { kept: Uint8Array.from(within), rows: Uint32Array.of(0, 2) }
  expect(entries(projectItems(side(1, [0, 1]), side(0.5, [1, 2]), 0.6, depth, mask))).toEqual(
    expected.map(([row, score]) => [row, score]),
  )
})
