import { describe, expect, test } from 'vitest'
import { graphOfRecords } from '../../../src/corpus/graph/foreign/records.ts'
import { UserError } from '../../../src/errors.ts'

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
const AB = [node('a'), node('b')]

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

describe('a graph is refused', () => {
  const errors = (...given: Parameters<typeof graphOf>) => {
    try {
      graphOf(...given)
    } catch (error) {
      if (error instanceof UserError)
        return error.diagnostics.map(({ file, line, message }) => `${file}:${line ?? ''} ${message}`)
      throw error
    }
    return []
  }

  test('for nodes and edges that are none, with their lines', () => {
    expect(
      errors(
        [node('a', {}, 1), node('', {}, 2), node('a', {}, 3)],
        [
          edge('a', '', {}, 4),
          edge('', 'a', {}, 5),
          edge('a', 'b', { weight: '-1' }, 6),
          edge('a', 'b', { weight: 'x' }, 7),
          edge('a', 'b', { weight: '0' }, 8),
        ],
      ).sort(),
    ).toEqual([
      'g.graphml:2 a node has no id',
      'g.graphml:3 the node "a" is already at line 1',
      'g.graphml:4 an edge has no source or no target',
      'g.graphml:5 an edge has no source or no target',
      'g.graphml:6 the weight of "a" to "b" is "-1", not a number of 0 or more',
      'g.graphml:7 the weight of "a" to "b" is "x", not a number of 0 or more',
    ])
    const own = [{ file: 'g.graphml', line: 9, message: 'is no row' }]
    expect(errors([], [], { diagnostics: own })).toEqual(['g.graphml:9 is no row'])
    expect(errors([])).toEqual(['g.graphml: holds no node'])
  })

  test('for nodes that are named by numbers and are in no chunk', () => {
    const [message] = errors([node('7'), node('x', { name: '12' })])
    expect(message).toMatch(
      /^g\.graphml: names its nodes by numbers \(the first: "7"\), which cannot be looked for in the texts; give each its name \(entity_id, .*\) or its chunks \(source_id, /,
    )
    expect(errors([node('7'), node('x')])).toEqual([])
    expect(errors([node('7'), node('8', { chunk: 'c' })])).toEqual([])
  })
})

test('numbers of edges that are not read as weights are named', () => {
  const remark = (...attributes: Attributes[]) =>
    graphOf(
      AB,
      attributes.map((own) => edge('a', 'b', own)),
    ).remark
  const numbers = { count: '3', score: '0.5', size: 'x', id: '1', chunk_id: '4', made_at: '5', kind: '6' }
  expect(remark(numbers, { ...numbers, count: '-1' })).toBe(
    'every relationship has weight 1; number attributes that are not read: `count`, `score`; name the attribute of weights `weight`',
  )
  expect(remark(numbers, { count: '3' })).toContain('not read: `count`;')
  expect([remark(), remark({ size: 'x' }), remark(numbers, { weight: '2' })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
