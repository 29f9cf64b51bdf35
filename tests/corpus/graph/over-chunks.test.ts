import { describe, expect, test } from 'vitest'
import { checkOver, type ForeignGraph, overChunks } from '../../../src/corpus/graph/foreign/graph.ts'
import type { Chunk } from '../../../src/types.ts'

const CHUNKS = [
  { id: 'c1', title: '', text: 'Lomm lies near Orrin.' },
  { id: 'c2', title: 'Orrin', text: 'The port of Orrin.' },
  { id: 'c3', title: '', text: 'Nobody lives by the Tarnsea.' },
] as unknown as Chunk[]

const entity = (name: string, chunks: readonly string[] = [], more = {}) => ({
  name,
  type: '',
  description: '',
  chunks,
  ...more,
})
const link = (source: string, target: string, more = {}) => ({
  source,
  target,
  relation: '',
  keywords: '',
  description: '',
  weight: 1,
  chunks: [] as string[],
  ...more,
})
const graphOf = (
  entities: readonly ReturnType<typeof entity>[],
  relationships: readonly ReturnType<typeof link>[] = [],
  more: Partial<ForeignGraph> = {},
): ForeignGraph => ({ file: '/x/g.csv', entities, relationships, ...more })
const over = (...given: Parameters<typeof graphOf>) => overChunks(graphOf(...given), CHUNKS)

describe('a graph of another program over the chunks here', () => {
  test('has a mention a chunk, and a link a relationship', () => {
    const found = over(
      [
        entity('Lomm', ['c1'], { type: 'Town', description: 'A town' }),
        entity('Orrin', ['c1', 'c2', 'c1']),
        entity('Tarn', ['zz']),
        entity(' Lomm', ['c2']),
      ],
      [
        link('Lomm', 'Orrin', { relation: 'lies_near', description: 'd', weight: 2, chunks: ['c2', 'c1'] }),
        link('Orrin', ' Lomm', { keywords: 'k', relation: 'r' }),
        link('Lomm', 'Orrin', { description: 'only words' }),
        link('Lomm', 'Nobody'),
        link('Nobody', 'Lomm'),
      ],
      { notices: { lost: 3 } },
    )
    expect(found).toEqual({
      mentions: [
        { name: 'Lomm', count: 1, type: 'Town', chunk: 0, text: 'A town' },
        { name: 'Orrin', count: 1, chunk: 0 },
        { name: 'Orrin', count: 1, chunk: 1 },
        { name: 'Tarn', count: 1, chunk: -1 },
        { name: ' Lomm', count: 1, chunk: 1 },
      ],
      links: [
        {
          source: 'Lomm',
          target: 'Orrin',
          predicate: 'lies near',
          weight: 2,
          chunk: 1,
          alsoIn: [0],
          relation: 'lies_near',
          description: 'd',
        },
        { source: 'Orrin', target: ' Lomm', predicate: 'k', weight: 1, chunk: -1, alsoIn: [], relation: 'r' },
        {
          source: 'Lomm',
          target: 'Orrin',
          predicate: 'only words',
          weight: 1,
          chunk: -1,
          alsoIn: [],
          description: 'only words',
        },
      ],
      names: 'exact',
      describe: { separator: '\n', tokens: 500 },
      notices: {
        lost: 3,
        chunksById: 2,
        unknownChunks: 1,
        danglingRelationships: 2,
        repeatedRelationships: 1,
        entitiesWithoutChunks: 1,
        entitiesWithoutDescription: 3,
        repeatedNames: 1,
      },
    })
  })

  test('is looked for by its names where it names no chunk', () => {
    const { mentions, notices } = over([
      entity('Orrin'),
      entity('Tarn sea'),
      entity('port of orrin'),
      entity('!'),
    ])
    expect(mentions.map(({ name, chunk }) => [name, chunk])).toEqual([
      ['Orrin', 0],
      ['Orrin', 1],
      ['Tarn sea', -1],
      ['port of orrin', 1],
      ['!', -1],
    ])
    expect(notices.entitiesWithoutChunks).toBe(2)
  })

  test('may have several ids in one text, unless the text is an id itself', () => {
    const joined = new Map([['c1;c3', ['c1', 'c3']]])
    const rows = (more: Partial<ForeignGraph>) => {
      const { mentions, notices } = over([entity('a', ['c1;c3']), entity('b', ['c2'])], [], {
        joined,
        ...more,
      })
      return [mentions.map(({ chunk }) => chunk), notices.ambiguousChunkIds]
    }
    expect(rows({})).toEqual([[0, 2, 1], undefined])
    expect(rows({ texts: new Map([['c1;c3', 'of no chunk here']]) })).toEqual([[-1, 1], 1])
  })

  test('belongs to another corpus where nothing of it is here', () => {
    expect(() => over([entity('Lomm', ['zz', 'yy', 'zz'])])).toThrow(
      '/x/g.csv: belongs to another corpus: none of its 2 chunk ids is a chunk or the hash of one here (its first: "zz", ours: "c1")',
    )
    expect(() => over([entity('Elsewhere')])).toThrow(
      'belongs to another corpus: it names no chunk, and none of its names is in a text here',
    )
    expect(over([]).mentions).toEqual([])
    expect(overChunks(graphOf([entity('Lomm', ['zz'])]), []).mentions).toHaveLength(1)
  })
})

describe('a graph over documents that are not cut yet', () => {
  const documents = ['d1', 'd2'].map((id) => ({ id, title: '', text: `text of ${id}`, metadata: {} }))
  const check = (...given: Parameters<typeof graphOf>) => checkOver(graphOf(...given), documents)

  test('is described in sentences', () => {
    const joined = new Map([['d1;d2', ['d1', 'd2']]])
    expect(
      check(
        [entity('A', ['d1#0001']), entity('B', ['d2', 'd1;d2']), entity('A ', ['zz'])],
        [link('A', 'B'), link('A', 'Z'), link('B', ' A', { weight: -1 })],
        {
          joined,
          texts: new Map([['d1;d2', 'other']]),
          remark: 'a remark',
          notices: { lostRows: 2, none: 0 },
        },
      ),
    ).toEqual([
      'g.csv: its chunks are matched by id (2), not at all (2)',
      'g.csv: a remark',
      'g.csv: 1 of 3 relationships end at no entity and are left out',
      'g.csv: 1 chunk ids hold a separator, and their parts are ids too; each is read as one id',
      'g.csv: 1 of 3 relationships have a weight that is no number of 0 or more and are left out',
      'g.csv: 1 of 3 entities have the name of another one (the first: "A"); equal names become one entity',
      'g.csv: 2 lost rows',
    ])
    expect(check([entity('text of')])).toEqual([
      'g.csv: it names no chunk; its entities are looked for in the texts by name',
    ])
  })

  test('has hubs from a thousand relationships on, if these are more than a twentieth of all', () => {
    const star = (own: number, others: number) => [
      ...Array.from({ length: own }, () => link('A', 'A')),
      ...Array.from({ length: others }, (_, at) => link(`x${at}`, `y${at}`)),
    ]
    // An entity that is both ends counts twice.
    const hubs = (own: number, others = 0) =>
      check([entity('A', ['d1'])], star(own, others)).filter((sentence) => sentence.includes('walks'))
    expect(hubs(499)).toEqual([])
    expect(hubs(500)).toEqual([
      'g.csv: "A" has 1000 of 500 relationships: walks through it reach nearly everything',
    ])
    expect([hubs(500, 19_499).length, hubs(500, 19_500).length]).toEqual([1, 0])
  })

  test('belongs to another corpus where nothing of it is here', () => {
    expect(() => check([entity('A', ['zz'])])).toThrow(
      'none of its 1 chunk ids is a chunk or the hash of one here (its first: "zz", ours: "d1")',
    )
    expect(() => check([entity('A')])).toThrow('it names no chunk, and none of its names')
    expect(checkOver(graphOf([entity('A', ['zz'])]), [])).toHaveLength(1)
  })
})
