import { describe, expect, test } from 'vitest'
import type { WalkedLink } from '../../../src/report/browser/types.d.ts'
import { type LinkPicture, walkPicture } from '../../../src/report/browser/walk.tsx'

/** Nodes as `column/row kind label`, edges as `label > label`, and the size. */
function shown(picture: LinkPicture) {
  const label = (at: number) => picture.nodes[at].label
  return {
    nodes: picture.nodes.map(({ column, row, kind, label }) => `${column}/${row} ${kind} ${label}`),
    edges: picture.edges.map(([from, to]) => `${label(from)} > ${label(to)}`),
    size: [picture.columns, picture.rows],
  }
}

describe('the picture of a walk', () => {
  const entity = (name: string) => ({ name, text: -2 })
  const chunk = (name: string, text: number) => ({ name, text })
  const passages = [
    { place: 0, rank: 1, title: 'Mill', gold: false },
    { place: 1, rank: 2, title: 'Lake', gold: true },
    { place: 2, rank: 0, title: 'Tower', gold: true },
    { place: 3, rank: 0, title: 'Well', gold: true },
    { place: 4, rank: 3, title: 'Unwalked', gold: false },
  ]

  test('has the starts with their shares, shortest paths, and gold without a path last', () => {
    const links: WalkedLink[] = [
      { from: null, to: entity('Ada'), share: 0.654 },
      { from: null, to: entity('Orr'), share: 0.346 },
      { from: entity('Ada'), to: chunk('c0', 0), share: null },
      { from: entity('Orr'), to: chunk('c0', 0), share: null },
      { from: chunk('c0', 0), to: entity('salt'), share: null },
      { from: entity('salt'), to: chunk('c1', 1), share: null },
      { from: entity('salt'), to: chunk('c9', -1), share: null },
      { from: entity('salt'), to: chunk('c2', 2), share: null },
      // From an end that no start reaches.
      { from: entity('nobody'), to: entity('nothing'), share: null },
      { from: null, to: entity('unshared'), share: null },
    ]
    expect(shown(walkPicture(links, passages))).toEqual({
      nodes: [
        '0/0 question question',
        '1/0 name Ada 65 %',
        '1/1 name Orr 35 %',
        '2/0 passage 1. Mill',
        '3/0 name salt',
        '4/0 gold 2. Lake',
        '4/1 name c9',
        '4/2 lost Tower',
      ],
      edges: [
        'question > Ada 65 %',
        'question > Orr 35 %',
        'Ada 65 % > 1. Mill',
        'Orr 35 % > 1. Mill',
        '1. Mill > salt',
        'salt > 2. Lake',
        'salt > c9',
        'salt > Tower',
      ],
      size: [5, 3],
    })
  })
})
