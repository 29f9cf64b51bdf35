import { describe, expect, test } from 'vitest'
import { type ForeignGraph, overChunks } from '../../../src/corpus/graph/foreign/graph.ts'
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
const over = (...args: Parameters<typeof graphOf>) => overChunks(graphOf(...args), CHUNKS)

describe('a graph of another program over the chunks here', () => {
  test('has a mention a chunk, and a link a relationship', () => {
    const extraction = over(
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
    expect(extraction).toEqual({
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
})
