import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEdges, readNeo4j } from '../../../src/corpus/graph/foreign/tables.ts'
import { temporaryFolder } from '../../temporary.ts'

/** Records of a file of this content, with maps as objects; its path is left out of errors. */
function read(reader: typeof readEdges, name: string, content: string) {
  const file = join(temporaryFolder({ [name]: content }), name)
  const { nodes, edges, diagnostics, ...rest } = reader(file)
  const plain = <T extends { readonly attributes: ReadonlyMap<string, string> }>(all: readonly T[]) =>
    all.map(({ attributes, ...one }) => ({ ...Object.fromEntries(attributes), ...one }))
  const errors = diagnostics.map(({ file: at, line, message }) => {
    expect(at).toBe(file)
    return `${line}: ${message}`
  })
  return { nodes: plain(nodes), edges: plain(edges), errors, ...rest }
}
const edgesOf = (content: string, name = 'edges.csv') => read(readEdges, name, content)

describe('an edge list', () => {
  test('has an edge a row, whose ends are the nodes', () => {
    const { nodes, edges, errors } = edgesOf(
      'Source, TARGET ,Weight\n Lomm ,Orr,2\nOrr,"Tarn, East",\n,Lomm,1\n',
    )
    expect(edges).toEqual([
      { source: 'Lomm', target: 'Orr', weight: '2', line: 2 },
      { source: 'Orr', target: 'Tarn, East', weight: '', line: 3 },
      { source: '', target: 'Lomm', weight: '1', line: 4 },
    ])
    expect(nodes.map(({ id, line }) => [id, line])).toEqual([
      ['Lomm', 2],
      ['Orr', 2],
      ['Tarn, East', 3],
    ])
    expect(errors).toEqual([])
  })

  test('may have tabs, quotation marks and empty lines', () => {
    const rows =
      ':START_ID(Town)\tnote\t:END_ID(Town)\r\n"Lomm ""West"""\ta, b\tOrr\r\n\r\nOrr\t"c"d\t"Tarn"\r\n'
    const tabbed = [edgesOf(rows, 'edges.tsv'), edgesOf(rows.replace('a, b', 'a'), 'edges.csv')]
    expect(tabbed.map(({ edges }) => edges)).toEqual(
      ['a, b', 'a'].map((note) => [
        { source: 'Lomm "West"', target: 'Orr', note, line: 2 },
        { source: 'Orr', target: 'Tarn', note: '"c"d', line: 4 },
      ]),
    )
  })

  test.each([
    ['subject,object', 'subject', 'object'],
    ['source,object,subject', 'subject', 'object'],
    ['tgt_id,src_id', 'src_id', 'tgt_id'],
    ['to,from,source', 'from', 'to'],
  ])('finds its ends in %s', (head, source, target) => {
    const columns = head.split(',')
    const [edge] = edgesOf(`${head}\n${columns.map((name) => `in ${name}`).join(',')}\n`).edges
    expect(edge).toMatchObject({ source: `in ${source}`, target: `in ${target}` })
  })

  test('says what is wrong, with the line', () => {
    const { errors, edges } = edgesOf('source,target,note,note\nA,B,1,2\nA,B\nA,B,1,2,3\n')
    expect(errors).toEqual([
      '1: has the column `note` twice; rename one',
      '3: has 2 fields, the first line 4',
      '4: has 5 fields, the first line 4',
    ])
    expect(edges).toHaveLength(3)
    const none = edgesOf('a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n')
    expect(none).toMatchObject({ nodes: [], edges: [] })
    expect(none.errors).toEqual([
      '1: its first line has no pair of columns for the ends of edges (source and target, from and to, subject and object, head and tail, start and end, _start and _end, :start_id and :end_id, src and dst, src_id and tgt_id): "a,b,c,d,e,f,g,h"',
    ])
  })
})

describe('an export of Neo4j', () => {
  const neo4j = (content: string, name = 'all.json') => read(readNeo4j, name, content)
  const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

  test('may be a table of nodes and relationships', () => {
    const head = '_id,_labels,name,entity_type,_start,_end,_type'
    const rows = ['0,:Town:Port,Lomm,,,,', '1,:Town,Orr,place,,,', ',,,,0,1,NEAR']
    expect(neo4j(`${head}\n${rows.join('\n')}\n`, 'ALL.CSV')).toEqual({
      nodes: [
        { id: '0', name: 'Lomm', entity_type: 'Town, Port', line: 2 },
        { id: '1', name: 'Orr', entity_type: 'place', line: 3 },
      ],
      edges: [{ source: '0', target: '1', name: '', entity_type: '', relation: 'NEAR', line: 4 }],
      errors: [],
    })
    expect(neo4j('_id,name,_start\n0,Lomm,\n', 'all.csv')).toEqual({
      ...{ nodes: [], edges: [] },
      errors: ['1: is no table of apoc.export.csv.all: it has no column _labels, _end, _type'],
    })
  })

  const NODES = [
    { type: 'node', id: '0', labels: ['Town', 'Port'], properties: { Name: 'Lomm', size: 3, tags: ['a'] } },
    { type: 'node', id: '1', properties: { name: 'Orr', entity_type: 'place', none: null } },
  ]
  const NEAR = { type: 'relationship', id: '7', label: 'NEAR', start: { id: '0' }, end: { id: '1' } }
  const expected = (at: readonly number[]) => ({
    nodes: [
      { id: '0', name: 'Lomm', size: '3', tags: '["a"]', entity_type: 'Town, Port', line: at[0] },
      { id: '1', name: 'Orr', entity_type: 'place', none: '', line: at[1] },
    ],
    edges: [{ source: '0', target: '1', relation: 'NEAR', line: at[2] }],
    errors: [],
  })

  test.each<[string, string, readonly number[]]>([
    ['a record a line', `${lines(NODES[0])}\n${lines(NODES[1], NEAR)}`, [1, 3, 4]],
    ['a list of records', JSON.stringify([...NODES, NEAR]), [1, 1, 1]],
    ['one object', JSON.stringify({ nodes: NODES, rels: [NEAR] }, null, 2), [1, 1, 1]],
    [
      'one object by id',
      JSON.stringify({ nodes: { a: NODES[0], b: NODES[1] }, relationships: { c: NEAR } }),
      [1, 1, 1],
    ],
  ])('may be %s', (_, content, at) => {
    expect(neo4j(content)).toEqual(expected(at))
  })

  test('may be rows of Neo4j Browser, which repeat what they hold', () => {
    const [n, m] = [
      { identity: 0, labels: ['Town'], properties: { name: 'Lomm' } },
      { identity: 1, labels: [], properties: { name: 'Orr' } },
    ]
    const r = { identity: 5, start: 0, end: 1, type: 'NEAR', properties: { since: 1 } }
    expect(
      neo4j(
        JSON.stringify([
          { n, r, m },
          { n, r: { ...r, identity: 6 }, m },
        ]),
      ),
    ).toEqual({
      nodes: [
        { id: '0', name: 'Lomm', entity_type: 'Town', line: 1 },
        { id: '1', name: 'Orr', entity_type: '', line: 1 },
      ],
      edges: [5, 6].map(() => ({ source: '0', target: '1', since: '1', relation: 'NEAR', line: 1 })),
      errors: [],
    })
  })

  test('says which line is none', () => {
    const { errors } = neo4j(`${lines(NODES[0])}{"type": \n${lines({ a: 1 })}`)
    expect(errors).toHaveLength(2)
    expect(errors[0]).toMatch(/^2: /)
    expect(errors[1]).toBe('3: is neither a "node" nor a "relationship" of apoc.export.json')
    expect(neo4j('[{"type": "node"},]').errors[0]).toMatch(/^1: /)
  })

  test('nodes of chunks become chunks of the entities that they are related to', () => {
    const chunk = (id: string, properties: object) => ({
      ...{ type: 'node', id, labels: ['__Chunk__'], properties: { text: `text ${id}`, ...properties } },
    })
    const link = (start: string, end: string) => ({ ...NEAR, start: { id: start }, end: { id: end } })
    const found = neo4j(
      lines(
        ...[{ type: 'node', id: '0', labels: ['Town'], properties: { id: 'Lomm' } }, NODES[1]],
        ...[chunk('8', { id: 'c8' }), chunk('9', {}), chunk('10', { text: '' })],
        ...[link('8', '0'), link('0', '9'), link('8', '9'), link('1', '0')],
      ),
    )
    expect(found.texts).toEqual(
      new Map([
        ['c8', 'text 8'],
        ['9', 'text 9'],
      ]),
    )
    expect(found.notices).toEqual({ relationshipsOfChunks: 1 })
    expect(found.edges.map(({ source, target }) => [source, target])).toEqual([['1', '0']])
    expect(found.nodes.map(({ id }) => id)).toEqual(['0', '1', '10'])
    expect(found.nodes[0]).toMatchObject({ id: '0', name: 'Lomm', cells: ['', '["c8","9"]'] })
    expect(found.nodes[1]).not.toHaveProperty('cells')
  })
})
