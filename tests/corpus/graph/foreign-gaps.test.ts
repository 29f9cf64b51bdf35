import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { graphragCommunities } from '../../../src/corpus/graph/communities/graphrag.ts'
import type { Graph } from '../../../src/corpus/graph/graph.ts'
import { graphragReports } from '../../../src/corpus/graph/reports/graphrag.ts'
import { nanoGraphragReports } from '../../../src/corpus/graph/reports/nano-graphrag.ts'
import type { ParquetColumn } from '../../../src/tables/column.ts'
import { writeTable } from '../../../src/tables/parquet.ts'
import { temporaryFolder } from '../../temporary.ts'
import { graphOf, read, refusal, TOWNS } from './read-foreign.ts'

/** Files of other programs in which something is missing or written otherwise. */

const text = (name: string, ...values: string[]): ParquetColumn => ({ name, type: 'string', values })
const lists = (name: string, ...values: string[][]): ParquetColumn => ({ name, type: 'strings', values })

const ENTITIES = [
  text('id', 'e0', 'e1', 'e2'),
  text('title', 'LOMM', 'ORR', 'TARN'),
  text('type', 'TOWN', '', 'TOWN'),
  text('description', 'A town', '', 'Another town'),
  lists('text_unit_ids', ['d0'], ['d0'], ['d1']),
]
const RELATIONSHIPS: ParquetColumn[] = [
  text('id', 'r0', 'r1'),
  text('source', 'LOMM', 'TARN'),
  text('target', 'ORR', 'LOMM'),
  text('description', 'lies at', ''),
  { name: 'weight', type: 'number', values: [3, 5] },
  lists('text_unit_ids', ['d0'], ['d1']),
]
const UNITS = [
  text('id', 'd0', 'd1'),
  text('text', ...TOWNS.chunks.slice(0, 2).map((chunk) => chunk.text)),
  lists('entity_ids', ['e0', 'e1'], ['e2']),
  lists('relationship_ids', ['r0'], ['r1']),
]

function folderOf(tables: Readonly<Record<string, readonly ParquetColumn[]>>): string {
  const folder = temporaryFolder()
  for (const [name, columns] of Object.entries(tables))
    writeTable(join(folder, `${name}.parquet`), [...columns])
  return folder
}

const without = (columns: readonly ParquetColumn[], ...names: string[]) =>
  columns.filter(({ name }) => !names.includes(name))
const replaced = (columns: readonly ParquetColumn[], column: ParquetColumn) => [
  ...without(columns, column.name),
  column,
]

describe('tables of GraphRAG', () => {
  const graphragGraph = (tables: Readonly<Record<string, readonly ParquetColumn[]>>) =>
    read('graphrag', folderOf(tables))
  const AT = ['LOMM: 0', 'ORR: 0', 'TARN: 1']
  const EDGES = ['LOMM --> ORR 3', 'TARN --> LOMM 5']

  it('are whole in any order of columns', async () => {
    const { at, edges, counts, notices } = await graphragGraph({
      entities: [...ENTITIES].reverse(),
      relationships: [...RELATIONSHIPS].reverse(),
    })
    expect([at, edges]).toEqual([AT, EDGES])
    expect(counts).toMatchObject({ entitiesWithoutDescription: 1, relationshipsWithoutDescription: 1 })
    expect(notices).toContain('entities.parquet: 1 relationships without description')
  })

  it('without descriptions, types and weights have a graph of equal weights, counted', async () => {
    const { at, edges, counts, notices } = await graphragGraph({
      entities: without(ENTITIES, 'description', 'type'),
      relationships: without(RELATIONSHIPS, 'description', 'weight'),
    })
    expect([at, edges]).toEqual([AT, ['LOMM --> ORR 1', 'TARN --> LOMM 1']])
    expect(counts).toMatchObject({
      entitiesWithoutDescription: 3,
      relationshipsWithoutDescription: 2,
      relationshipsWithoutWeight: 2,
    })
    expect(notices).toContain('entities.parquet: 2 relationships without weight')
  })

  it('without text units of rows have those that the text units list', async () => {
    const { at, counts } = await graphragGraph({
      entities: without(ENTITIES, 'text_unit_ids'),
      relationships: without(RELATIONSHIPS, 'text_unit_ids'),
      text_units: UNITS,
    })
    expect(at).toEqual(AT)
    expect(counts).toMatchObject({ entitiesWithoutChunks: 0 })
    expect(counts).not.toHaveProperty('relationshipsWithoutChunks')
  })

  it('without text units of entities have those of their relationships', async () => {
    const { at } = await graphragGraph({
      entities: without(ENTITIES, 'text_unit_ids'),
      relationships: RELATIONSHIPS,
    })
    expect(at).toEqual(['LOMM: 0 1', 'ORR: 0', 'TARN: 1'])
  })

  it('without any text unit are looked for in the texts by name', async () => {
    const { at, counts, notices } = await graphragGraph({
      entities: without(ENTITIES, 'text_unit_ids'),
      relationships: without(RELATIONSHIPS, 'text_unit_ids'),
    })
    expect(at).toEqual(AT)
    expect(counts).toMatchObject({ relationshipsWithoutChunks: 2 })
    expect(notices).toContain(
      'entities.parquet: it names no chunk; its entities are looked for in the texts by name',
    )
  })

  it('that passed through SQL or CSV have lists and numbers as text', async () => {
    const { at, edges } = await graphragGraph({
      entities: replaced(ENTITIES, text('text_unit_ids', '["d0"]', "['d0']", "['d1' 'd9']")),
      relationships: replaced(
        replaced(RELATIONSHIPS, text('weight', '3.0', ' 5')),
        text('text_unit_ids', '["d0"]', ''),
      ),
    })
    expect([at, edges]).toEqual([AT, EDGES])
  })

  test.each([
    ['entities', 'title', 'has no column "title"'],
    ['relationships', 'source', 'has no column "source"'],
    ['relationships', 'target', 'has no column "target"'],
  ])('of %s without %s are refused', async (table, column, message) => {
    const all: Record<string, readonly ParquetColumn[]> = { entities: ENTITIES, relationships: RELATIONSHIPS }
    await expect(graphragGraph({ ...all, [table]: without(all[table], column) })).rejects.toThrow(message)
  })

  it('with a weight or a list that is none are refused with their row', async () => {
    const heavy = replaced(RELATIONSHIPS, text('weight', '3', 'heavy'))
    await expect(graphragGraph({ entities: ENTITIES, relationships: heavy })).rejects.toThrow(
      `relationships.parquet: column "weight", row 2: 'heavy' is not a number`,
    )
    const cut = replaced(ENTITIES, text('text_unit_ids', '["d0"]', '["d0', '[]'))
    await expect(graphragGraph({ entities: cut, relationships: RELATIONSHIPS })).rejects.toThrow(
      `entities.parquet: column "text_unit_ids", row 2: '["d0' is not a list of ids`,
    )
  })

  it('have a rank and a community as text, reports without findings or titles', async () => {
    const path = folderOf({
      entities: ENTITIES,
      communities: [text('community', '7'), text('level', '0'), text('entity_ids', '["e0", "e1"]')],
      community_reports: [text('community', '7'), text('full_content', 'Of Lomm.'), text('rank', '8.5')],
    })
    const entities = { names: ['LOMM', 'ORR'], keys: ['lomm', 'orr'] }
    const graph = { entities } as unknown as Graph
    const found = await graphragCommunities.find(graph, { path })
    expect(found.communities.map(({ members }) => [...members])).toEqual([[0, 1]])
    const communities = {
      size: 1,
      levels: [0],
      entities: { offsets: Uint32Array.of(0, 2), members: Uint32Array.of(0, 1) },
    }
    const written = await graphragReports.write?.({ graph, communities, chunks: [] } as never, { path })
    expect(written?.reports).toEqual([
      { community: 0, title: 'Community 7', summary: 'Of Lomm.', findings: [], rank: 8.5 },
    ])
    const bare = folderOf({
      entities: ENTITIES,
      community_reports: [text('community', '7'), text('title', 'x')],
      communities: [text('community', '7'), text('level', '0'), lists('entity_ids', ['e0'])],
    })
    const refused = async () =>
      graphragReports.write?.({ graph, communities, chunks: [] } as never, { path: bare })
    await expect(refused()).rejects.toThrow('has no column "summary"')
  })
})

describe('ids of chunks with a separator', () => {
  const over = (...ids: string[]) => ({
    chunks: TOWNS.chunks.map((chunk, at) => ({ ...chunk, id: ids[at] })),
    documents: TOWNS.documents.map((document, at) => ({ ...document, id: ids[at] })),
  })
  const graphml = (chunksByName: Readonly<Record<string, string>>) => {
    const nodes = Object.entries(chunksByName).map(
      ([name, chunks]) => `<node id="${name}"><data key="chunks">${chunks}</data></node>`,
    )
    return `<graphml><graph>${nodes.join('')}</graph></graphml>`
  }
  const TWO = graphml({ Lomm: 'a|b', Tarn: 'c;d' })

  it('are whole if the corpus has them so, else several', async () => {
    const whole = await graphOf('graphml', 'g.graphml', TWO, over('a|b', 'c', 'd'))
    expect(whole.at).toEqual(['Lomm: 0', 'Tarn: 1 2'])
    expect(whole.counts).toMatchObject({ chunksById: 3 })
    expect(whole.counts).not.toHaveProperty('unknownChunks')
    expect(whole.notices).toContain('g.graphml: its chunks are matched by id (3)')
  })

  it('that are ids in parts too are whole and counted', async () => {
    const { at, counts, notices } = await graphOf('graphml', 'g.graphml', TWO, over('a|b', 'a', 'c;d'))
    expect(at).toEqual(['Lomm: 0', 'Tarn: 2'])
    expect(counts).toMatchObject({ ambiguousChunkIds: 1 })
    expect(notices).toContain(
      'g.graphml: 1 chunk ids hold a separator, and their parts are ids too; each is read as one id',
    )
  })

  it('are so in lists as Gephi prints them', async () => {
    const input = over('a|b', '[c]', 'd')
    const at = async (Lomm: string) => (await graphOf('graphml', 'g.graphml', graphml({ Lomm }), input)).at
    expect(await at('[c]')).toEqual(['Lomm: 1'])
    expect(await at('[a|b, d]')).toEqual(['Lomm: 2'])
    expect(await at('[d]')).toEqual(['Lomm: 2'])
  })
})

describe('files of other programs', () => {
  it('of triples may lack entities or triples, not both; ids may be numbers', async () => {
    const ours = {
      ...TOWNS,
      chunks: TOWNS.chunks.map((chunk, at) => ({ ...chunk, id: String(at), documentId: String(at) })),
      documents: TOWNS.documents.map((document, at) => ({ ...document, id: String(at) })),
    }
    const lines = [
      { id: 0, entities: ['Lomm'] },
      { id: 1, entities: null, triples: [['Tarn', 'near', 'lake']] },
    ]
    const jsonl = `\ufeff${lines.map((one) => JSON.stringify(one)).join('\r\n')}`
    const { at, counts } = await graphOf('openie', 'o.jsonl', jsonl, ours)
    expect(at).toEqual(['Lomm: 0', 'Tarn: 1', 'lake: 1'])
    expect(counts).toMatchObject({ malformedTriples: 0, passagesWithout: 1 })
    expect(await refusal('openie', 'o.jsonl', '{"id": "0"}\n{"id": "1", "triples": "x"}', ours)).toBe(
      '1: has neither "entities" nor "triples"\n2: "triples" is not a list',
    )
    const hippo = { docs: [{ idx: '0', passage: TOWNS.chunks[0].text, extracted_entities: ['Lomm'] }] }
    expect((await graphOf('openie', 'o.json', JSON.stringify(hippo), ours)).at).toEqual(['Lomm: 0'])
  })

  it('of nano-graphrag have ratings and levels as text', () => {
    const report_json = { title: 'T', summary: 'S', rating: '7.5', findings: [] }
    const stored = { 0: { level: '0', nodes: ['"LOMM"'], sub_communities: null, report_json } }
    const path = temporaryFolder({ 'kv_store_community_reports.json': JSON.stringify(stored) })
    const graph = { entities: { names: ['LOMM'], keys: ['lomm'] } }
    const communities = {
      size: 1,
      levels: [0],
      entities: { offsets: Uint32Array.of(0, 1), members: Uint32Array.of(0) },
    }
    const written = nanoGraphragReports.write?.({ graph, communities, chunks: [] } as never, { path })
    expect(written).toMatchObject({ reports: [{ rank: 7.5, title: 'T' }] })
  })
})
