import { describe, expect, test } from 'vitest'
import {
  type LinkedPassage,
  type LinkPicture,
  linkPicture,
  type WalkedLink,
  walkPicture,
} from '../../../src/report/browser/links.ts'

const passage = (title: string, text: string, more: Partial<LinkedPassage> = {}): LinkedPassage => ({
  title,
  text,
  rank: 1,
  gold: false,
  mark: '',
  ...more,
})

/** Nodes as `column/row kind label`, edges as `label > label`, and the size. */
function shown(picture: LinkPicture | null) {
  if (!picture) return null
  const label = (at: number) => picture.nodes[at].label
  return {
    nodes: picture.nodes.map(({ column, row, kind, label }) => `${column}/${row} ${kind} ${label}`),
    edges: picture.edges.map(([from, to]) => `${label(from)} > ${label(to)}`),
    size: [picture.columns, picture.rows],
  }
}

describe('the picture of mentions', () => {
  test('goes from the question over its names to passages, and on to what these mention', () => {
    const picture = linkPicture(
      'Which salt road does Ada use?',
      ['Ada', 'salt'],
      [
        passage('Ada', 'She sells salt.', { rank: 1 }),
        passage('Bridge', 'Built by Ada, beside the Mill.', { rank: 2 }),
        passage('Mill', 'It grinds.', { rank: 3, gold: true }),
        passage('Tower', 'Far away.', { rank: 4 }),
        passage('Lost town', 'Nobody knows.', { rank: 0, gold: true }),
      ],
    )
    expect(shown(picture)).toEqual({
      nodes: [
        '0/0 question question',
        '1/0 name Ada',
        '1/1 name salt',
        '2/0 passage 1. Ada',
        '2/1 passage 2. Bridge',
        '3/0 gold 3. Mill',
        '4/0 lost Lost town',
      ],
      edges: [
        'question > Ada',
        'question > salt',
        'Ada > 1. Ada',
        'salt > 1. Ada',
        'question > 1. Ada',
        'Ada > 2. Bridge',
        '2. Bridge > 3. Mill',
      ],
      size: [5, 2],
    })
  })

  test('has no column of names without a name, and links a passage whose title the question holds', () => {
    expect(
      shown(
        linkPicture('Where is the mill?', [], [passage('Mill', 'By the lake.'), passage('Lake', 'Deep.')]),
      ),
    ).toEqual({
      nodes: ['0/0 question question', '1/0 passage 1. Mill', '2/0 passage 1. Lake'],
      edges: ['question > 1. Mill', '1. Mill > 1. Lake'],
      size: [3, 1],
    })
  })

  test('links two passages whichever names the other, each path at its shortest', () => {
    const picture = linkPicture(
      'Where is Ada?',
      ['Ada'],
      [
        passage('Ada', 'In town.', { rank: 1 }),
        passage('Orr', 'Ada was born here.', { rank: 2 }),
        passage('Lomm', 'A harbour beside Orr.', { rank: 3 }),
        passage('Ships', 'They lie at Lomm.', { rank: 4 }),
      ],
    )
    expect(shown(picture)?.nodes.slice(2)).toEqual([
      '2/0 passage 1. Ada',
      '2/1 passage 2. Orr',
      '3/0 passage 3. Lomm',
      '4/0 passage 4. Ships',
    ])
    expect(shown(picture)?.edges).toEqual([
      'question > Ada',
      'Ada > 1. Ada',
      'question > 1. Ada',
      'Ada > 2. Orr',
      '2. Orr > 3. Lomm',
      '3. Lomm > 4. Ships',
    ])
  })

  test('places a passage by the hop that its step noted', () => {
    const hops = [
      passage('One', 'a', { mark: 'hop 1' }),
      passage('Two', 'Ada', { mark: 'hop 2', rank: 2 }),
      passage('Ten', 'Ada', { mark: 'no hop 1', rank: 3 }),
    ]
    expect(shown(linkPicture('?', ['Ada'], hops))?.nodes.slice(2)).toEqual([
      '3/0 passage 1. One',
      '4/0 passage 2. Two',
      '2/0 passage 3. Ten',
    ])
  })

  test('is none where nothing is linked, whatever is gold', () => {
    expect(linkPicture('Why?', ['Ada'], [passage('Mill', 'By the lake.', { gold: true })])).toBeNull()
    expect(linkPicture('Why?', [], [])).toBeNull()
    // Two letters are too short for a name or a title.
    expect(linkPicture('Is it so?', ['it'], [passage('so', 'it is')])).toBeNull()
    expect(linkPicture('Is the sea?', [], [passage('sea', 'it')])?.columns).toBe(2)
  })

  test('has ten names, each once, and ten passages a column with gold beside them', () => {
    const names = ['Ada', 'Ada', ...Array.from({ length: 12 }, (_, at) => `name${at}`)]
    const passages = Array.from({ length: 12 }, (_, at) =>
      passage(`Title ${at}`, 'Ada', { rank: at + 1, gold: at === 11 }),
    )
    const nodes = shown(linkPicture('?', names, passages))?.nodes ?? []
    expect(nodes.filter((node) => node.includes(' name '))).toEqual([
      '1/0 name Ada',
      ...Array.from({ length: 9 }, (_, at) => `1/${at + 1} name name${at}`),
    ])
    expect(nodes.slice(11)).toEqual([
      ...Array.from({ length: 10 }, (_, at) => `2/${at} passage ${at + 1}. Title ${at}`),
      '2/10 gold 12. Title 11',
    ])
  })
})

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
        '5/0 lost Well',
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
      size: [6, 3],
    })
  })

  test('tells a chunk without a text from an entity of its name', () => {
    const links: WalkedLink[] = [
      { from: null, to: entity('x'), share: 1 },
      { from: entity('x'), to: chunk('x', -1), share: null },
    ]
    expect(shown(walkPicture(links, []))?.nodes.slice(1)).toEqual(['1/0 name x 100 %', '2/0 name x'])
  })
})
