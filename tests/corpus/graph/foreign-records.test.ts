import { expect, test } from 'vitest'
import { graphOfRecords } from '../../../src/corpus/graph/foreign/records.ts'

type Attributes = Readonly<Record<string, string>>
const node = (id: string, attributes: Attributes = {}, line = 1) => ({
  id,
  line,
  attributes: new Map(Object.entries(attributes)),
})
const edge = (source: string, target: string, attributes: Attributes = {}, line = 1) => ({
  source,
  target,
  line,
  attributes: new Map(Object.entries(attributes)),
})
const graphOf = (
  nodes: readonly ReturnType<typeof node>[],
  edges: readonly ReturnType<typeof edge>[] = [],
  more: object = {},
) => graphOfRecords('g.graphml', { nodes, edges, diagnostics: [], notices: {}, ...more })

test('nodes and edges have their roles by the names of attributes', () => {
  const nodes = [
    node('n1', {
      entity_id: '',
      name: ' Lomm ',
      type: 'Town',
      desc: 'A town',
      source_id: 'c1<SEP> c2<SEP>c1',
    }),
    node('Orr', { labels: 'Port', category: 'x', summary: 'A port' }),
    node('n3', { title: 'Tarn', label: 'x' }),
  ]
  const edges = [
    edge('n1', 'Orr', { type: 'near', keywords: 'k', summary: 's', chunk: '["c1", 2]', weight: ' 2.5 ' }),
    edge('n3', 'x', { kind: 'of', predicate: 'in' }),
  ]
  expect(graphOf(nodes, edges, { notices: { lost: 1 } })).toEqual({
    file: 'g.graphml',
    entities: [
      { name: 'Lomm', type: 'Town', description: 'A town', chunks: ['c1', 'c2'] },
      { name: 'Orr', type: 'Port', description: 'A port', chunks: [] },
      { name: 'Tarn', type: '', description: '', chunks: [] },
    ],
    relationships: [
      {
        source: 'Lomm',
        target: 'Orr',
        relation: 'near',
        keywords: 'k',
        description: 's',
        chunks: ['c1', '2'],
        weight: 2.5,
      },
      { source: 'Tarn', target: 'x', relation: 'in', keywords: '', description: '', chunks: [], weight: 1 },
    ],
    notices: { lost: 1 },
  })
  const clean = (text: string) => text.replaceAll('"', '')
  const unquoted = graphOfRecords(
    'g',
    {
      nodes: [node('"a"', { type: '"T"' }), node('b', { name: '"B"', chunk: '"c"' })],
      edges: [edge('"a"', '"z"', { label: '"l"', weight: '"3"' })],
      diagnostics: [],
      notices: {},
    },
    clean,
  )
  expect(unquoted.entities.map(({ name, type, chunks }) => [name, type, chunks])).toEqual([
    ['a', 'T', []],
    ['B', '', ['c']],
  ])
  expect(unquoted.relationships).toMatchObject([{ source: 'a', target: 'z', relation: 'l', weight: 3 }])
})

test.each<[string, string[], Record<string, string[]>]>([
  ['[1, 22]', ['1', '22'], {}],
  ['[12345678901234567890]', ['12345678901234567890'], {}],
  ['["a", "b", "a"]', ['a', 'b'], {}],
  ["['a', 'b']", ['a', 'b'], {}],
  ['a<SEP>b<SEP>', ['a', 'b'], {}],
  ['a | b', ['a | b'], { 'a | b': ['a', 'b'] }],
  ['a;b;a', ['a;b;a'], { 'a;b;a': ['a', 'b'] }],
  ['a\nb', ['a\nb'], { 'a\nb': ['a', 'b'] }],
  ['[a, b]', ['[a, b]'], { '[a, b]': ['a', 'b'] }],
  ['a;', ['a;'], { 'a;': ['a'] }],
  ['a, b', ['a, b'], {}],
  [' a ', ['a'], {}],
  [' ', [], {}],
])('chunks in the field %j', (field, chunks, joined) => {
  const found = graphOf([node('x', { chunks: field })])
  expect(found.entities[0].chunks).toEqual(chunks)
  expect(Object.fromEntries(found.joined ?? [])).toEqual(joined)
})
