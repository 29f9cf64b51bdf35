import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { incidenceOf, transpose } from '../../../src/corpus/graph/csr.ts'
import { graphologyOf } from '../../../src/corpus/graph/exports/graphology.ts'
import { graphExports } from '../../../src/corpus/graph/exports/index.ts'
import { networkOf, undirected } from '../../../src/corpus/graph/exports/network.ts'
import { temporaryFolder } from '../../temporary.ts'
import { recipeOf } from '../recipes.ts'

const documents = [
  { id: 'd1', title: 'First', text: 'Ann met Bo. Bo knows Ann.', metadata: { year: '1821' } },
  { id: 'd2', title: '', text: 'Bo lives.', metadata: {} },
  { id: 'd3', title: 'Empty', text: '', metadata: {} },
]
const chunk = (id: string, documentId: string, position: number, text: string, tokens: number) => ({
  ...{ id, documentId, position, text, tokens },
  title: documents.find((one) => one.id === documentId)?.title ?? '',
})
const chunks = [
  chunk('c1', 'd1', 0, 'Ann met Bo.', 4),
  chunk('c2', 'd1', 1, 'Bo knows Ann.', 5),
  chunk('c3', 'd2', 0, 'Bo lives.', 3),
]

/** Ann and Bo: c1 says that she met him, c2 that he knows her. Cy stands nowhere. */
const chunksOfEntity = incidenceOf([[0, 1], [0, 1, 2], []], 3)
const graph = {
  entities: {
    size: 3,
    ids: ['e1', 'e2', 'e3'],
    names: ['Ann', 'Bo & "Co"', 'Cy'],
    types: ['person', 'firm', 'person'],
    descriptions: ['She met.', 'He lives.\nThere.', ''],
    degrees: Uint32Array.of(2, 2, 0),
  },
  relationships: {
    size: 2,
    ids: ['r1', 'r2'],
    sources: Uint32Array.of(0, 1),
    targets: Uint32Array.of(1, 0),
    weights: Float64Array.of(1.5, 2),
    descriptions: ['she met him', 'he knows her'],
    keywords: ['meet, know', 'know'],
    relations: [['met', 'saw'], ['knows']],
    combinedDegrees: Uint32Array.of(4, 5),
  },
  chunksOfEntity,
  entitiesOfChunk: transpose(chunksOfEntity, 3),
  chunksOfRelationship: incidenceOf([[0], [1]], 3),
}
const communities = {
  ids: ['k1', 'k2'],
  titles: ['All', 'Part'],
  levels: Uint32Array.of(0, 1),
  parents: Int32Array.of(-1, 0),
  children: [[1], []],
  entities: incidenceOf([[0, 1, 2], [1]], 3),
  relationships: incidenceOf([[0, 1], []], 2),
  chunks: incidenceOf([[0, 1, 2], [2]], 3),
}
const findings = [[{ summary: 'S', explanation: 'E' }]]
/** The second community alone has a report. */
const reports = {
  ids: ['q1'],
  communities: Uint32Array.of(1),
  titles: ['Part of it'],
  summaries: ['short'],
  contents: ['# long'],
  ranks: Float64Array.of(7.5),
}
const extractions = [
  {
    mentions: [
      { name: 'Ann', chunk: 0 },
      { name: 'Bo  Lee ', chunk: 0 },
      { name: 'Ann', chunk: 0 },
      { name: 'Cy', chunk: 9 },
    ],
    links: [{ source: 'Ann', predicate: 'met', target: 'Bo', chunk: 0, alsoIn: [1] }],
  },
  {
    mentions: [{ name: 'Bo', chunk: 2 }],
    links: [
      { source: 'Ann', predicate: 'met', target: 'Bo', chunk: 0 },
      { source: 'Bo', target: 'Ann', chunk: 1 },
    ],
  },
]
const all = { graph, ids: chunks, chunks, documents, communities, reports, findings, extractions }

/** Writes one form of the graph. */
function write(name: string, opened: object = all) {
  const form = graphExports.find((one) => one.name === name)
  if (!form) throw new Error(name)
  const path = join(temporaryFolder(), name)
  if (form.folder) mkdirSync(path)
  const notes = form.write(path, opened as never)
  return { notes, form, path, read: (file = '') => readFileSync(join(path, file), 'utf8') }
}

test('folders and files by form', () => {
  expect(graphExports.map(({ name, folder }) => [name, folder])).toEqual([
    ...[['graphrag', true] as const, ['lightrag', true] as const, ['hipporag', false] as const],
    ...[['graphml', false] as const, ['gexf', false] as const, ['csv', true] as const],
  ])
})

test('graphrag: every table, row by row', async () => {
  const { notes, path } = write('graphrag')
  expect(notes).toEqual([])
  const table = async (name: string) => {
    const bytes = readFileSync(join(path, `${name}.parquet`))
    const rows = await parquetReadObjects({ file: Uint8Array.from(bytes).buffer })
    const plain = (value: unknown): unknown => {
      if (typeof value === 'bigint') return Number(value)
      return Array.isArray(value) ? value.map(plain) : value
    }
    return Object.fromEntries(
      Object.keys(rows[0]).map((column) => [column, rows.map((row) => plain(row[column]))]),
    )
  }
  expect(await table('entities')).toEqual({
    ...{ id: ['e1', 'e2', 'e3'], human_readable_id: [0, 1, 2], title: graph.entities.names },
    ...{ type: graph.entities.types, description: graph.entities.descriptions },
    ...{ text_unit_ids: [['c1', 'c2'], ['c1', 'c2', 'c3'], []], frequency: [2, 3, 0], degree: [2, 2, 0] },
  })
  expect(await table('relationships')).toEqual({
    ...{ id: ['r1', 'r2'], human_readable_id: [0, 1] },
    ...{ source: ['Ann', 'Bo & "Co"'], target: ['Bo & "Co"', 'Ann'] },
    ...{ description: graph.relationships.descriptions, weight: [1.5, 2], combined_degree: [4, 5] },
    text_unit_ids: [['c1'], ['c2']],
  })
  expect(await table('text_units')).toEqual({
    ...{ id: ['c1', 'c2', 'c3'], human_readable_id: [0, 1, 2], text: chunks.map(({ text }) => text) },
    ...{ n_tokens: [4, 5, 3], document_id: ['d1', 'd1', 'd2'], covariate_ids: [[], [], []] },
    entity_ids: [['e1', 'e2'], ['e1', 'e2'], ['e2']],
    relationship_ids: [['r1'], ['r2'], []],
  })
  expect(await table('documents')).toEqual({
    ...{ id: ['d1', 'd2', 'd3'], human_readable_id: [0, 1, 2], title: ['First', '', 'Empty'] },
    ...{ text: documents.map(({ text }) => text), creation_date: ['', '', ''] },
    ...{ text_unit_ids: [['c1', 'c2'], ['c3'], []], raw_data: ['{"year":"1821"}', '{}', '{}'] },
  })
  expect(await table('communities')).toEqual({
    ...{ id: ['k1', 'k2'], human_readable_id: [0, 1], community: [0, 1], level: [0, 1], parent: [-1, 0] },
    ...{ children: [[1], []], title: ['All', 'Part'], period: ['', ''], size: [3, 1] },
    ...{ entity_ids: [['e1', 'e2', 'e3'], ['e2']], relationship_ids: [['r1', 'r2'], []] },
    text_unit_ids: [['c1', 'c2', 'c3'], ['c3']],
  })
  const written = await table('community_reports')
  expect(written).toEqual({
    ...{ id: ['q1'], human_readable_id: [1], community: [1], level: [1], parent: [0], children: [[]] },
    ...{ title: ['Part of it'], summary: ['short'], full_content: ['# long'], rank: [7.5], size: [1] },
    ...{ rating_explanation: [''], period: [''], findings },
    full_content_json: [
      '{"title":"Part of it","summary":"short","rating":7.5,"findings":[{"summary":"S","explanation":"E"}]}',
    ],
  })
})

test('graphrag: what is not there is left out, and said', () => {
  const { notes: neither } = write('graphrag', { graph, chunks, documents })
  expect(neither).toEqual(['no communities and reports: the config has no `prepare.communities`'])
  const { notes: reportless } = write('graphrag', { graph, chunks, documents, communities })
  expect(reportless).toEqual(['no community reports: the config has no `prepare.reports`'])
})

test('graphrag reads communities and reports if the config makes them', () => {
  const recipe = { ...recipeOf(documents as never), graph: [{ name: 'titles', params: {} }] }
  const communities = { name: 'leiden', params: {} }
  const reports = { name: 'extractive', params: {} }
  const always = ['graph', 'chunks', 'documents']
  const read = (more: object) => Object.keys(graphExports[0].reads({ ...recipe, ...more }))
  expect(read({})).toEqual(always)
  expect(read({ communities })).toEqual([...always, 'communities'])
  expect(read({ reports })).toEqual(always)
  expect(read({ communities, reports })).toEqual([...always, 'communities', 'reports', 'findings'])
})

test('lightrag: one edge for both directions, chunks and documents with their titles or ids', () => {
  const { notes, read } = write('lightrag')
  expect(notes).toEqual(['vectors are not written: LightRAG makes them with an embedder of its own'])
  expect(JSON.parse(read('kv_store_text_chunks.json'))).toEqual(
    Object.fromEntries(
      chunks.map(({ id, tokens, text, position, documentId }) => [
        id,
        {
          ...{ tokens, content: text, chunk_order_index: position, full_doc_id: documentId, _id: id },
          ...{ file_path: documentId === 'd1' ? 'First' : 'd2', llm_cache_list: [] },
          ...{ create_time: 0, update_time: 0 },
        },
      ]),
    ),
  )
  expect(read('kv_store_full_docs.json')).toMatch(/^\{\n {2}"d1": \{\n {4}"content": /)
  expect(JSON.parse(read('kv_store_full_docs.json'))).toEqual(
    Object.fromEntries(
      documents.map(({ id, title, text }) => [
        id,
        { content: text, file_path: title || id, create_time: 0, update_time: 0, _id: id },
      ]),
    ),
  )
  expect(read('graph_chunk_entity_relation.graphml').split('\n').slice(2)).toEqual([
    '<key id="n0" for="node" attr.name="entity_id" attr.type="string"/>',
    '<key id="n1" for="node" attr.name="entity_type" attr.type="string"/>',
    '<key id="n2" for="node" attr.name="description" attr.type="string"/>',
    '<key id="n3" for="node" attr.name="source_id" attr.type="string"/>',
    '<key id="n4" for="node" attr.name="file_path" attr.type="string"/>',
    '<key id="n5" for="node" attr.name="created_at" attr.type="long"/>',
    '<key id="e0" for="edge" attr.name="weight" attr.type="double"/>',
    '<key id="e1" for="edge" attr.name="description" attr.type="string"/>',
    '<key id="e2" for="edge" attr.name="keywords" attr.type="string"/>',
    '<key id="e3" for="edge" attr.name="source_id" attr.type="string"/>',
    '<key id="e4" for="edge" attr.name="file_path" attr.type="string"/>',
    '<key id="e5" for="edge" attr.name="created_at" attr.type="long"/>',
    '<graph edgedefault="undirected">',
    '<node id="Ann"><data key="n0">Ann</data><data key="n1">person</data><data key="n2">She met.</data><data key="n3">c1&lt;SEP&gt;c2</data><data key="n4"></data><data key="n5">0</data></node>',
    '<node id="Bo &amp; &quot;Co&quot;"><data key="n0">Bo &amp; &quot;Co&quot;</data><data key="n1">firm</data><data key="n2">He lives.&#10;There.</data><data key="n3">c1&lt;SEP&gt;c2&lt;SEP&gt;c3</data><data key="n4"></data><data key="n5">0</data></node>',
    '<node id="Cy"><data key="n0">Cy</data><data key="n1">person</data><data key="n2"></data><data key="n3"></data><data key="n4"></data><data key="n5">0</data></node>',
    '<edge source="Ann" target="Bo &amp; &quot;Co&quot;"><data key="e0">3.5</data><data key="e1">she met him&lt;SEP&gt;he knows her</data><data key="e2">meet, know</data><data key="e3">c1&lt;SEP&gt;c2</data><data key="e4"></data><data key="e5">0</data></edge>',
    ...['</graph>', '</graphml>', ''],
  ])
})

test('texts that one direction lacks leave no separator', () => {
  const edge = { weight: 1, description: 'a', keywords: '', relations: [], chunks: [] }
  const one = { source: 'A', target: 'B' }
  expect(
    undirected([
      { ...edge, ...one },
      { ...edge, source: 'B', target: 'A', description: '' },
    ]),
  ).toEqual([{ ...edge, ...one, weight: 2 }])
})

test('hipporag: entities and triples of each passage, each once, and the mean length of names', () => {
  const { notes, read } = write('hipporag')
  expect(notes).toEqual([])
  const passage = (text: string, entities: string[], triples: string[][]) => ({
    ...{ idx: `chunk-${createHash('md5').update(text).digest('hex')}`, passage: text },
    ...{ extracted_entities: entities, extracted_triples: triples },
  })
  const met = ['Ann', 'met', 'Bo']
  expect(JSON.parse(read())).toEqual({
    docs: [
      passage('First\nAnn met Bo.', ['Ann', 'Bo  Lee '], [met]),
      passage('First\nBo knows Ann.', [], [met, ['Bo', '', 'Ann']]),
      passage('Bo lives.', ['Bo'], []),
    ],
    // 3, 8 and 2 letters; 1, 2 and 1 words.
    ...{ avg_ent_chars: 4.3333, avg_ent_words: 1.3333 },
  })
  const none = write('hipporag', { chunks, extractions: [] })
  expect(JSON.parse(none.read())).toMatchObject({ avg_ent_chars: 0, avg_ent_words: 0 })
})

test('graphml: directed edges with their relations, nodes with their degrees', () => {
  const lines = write('graphml').read().split('\n')
  expect(lines.filter((line) => /degree|relation"|<graph |<edge/.test(line))).toEqual([
    '<key id="n4" for="node" attr.name="degree" attr.type="long"/>',
    '<key id="e4" for="edge" attr.name="relation" attr.type="string"/>',
    '<graph edgedefault="directed">',
    '<edge source="Ann" target="Bo &amp; &quot;Co&quot;"><data key="e0">1.5</data><data key="e1">she met him</data><data key="e2">meet, know</data><data key="e3">c1</data><data key="e4">met, saw</data></edge>',
    '<edge source="Bo &amp; &quot;Co&quot;" target="Ann"><data key="e0">2</data><data key="e1">he knows her</data><data key="e2">know</data><data key="e3">c2</data><data key="e4">knows</data></edge>',
  ])
  expect(lines).toContain(
    '<node id="Ann"><data key="n0">Ann</data><data key="n1">person</data><data key="n2">She met.</data><data key="n3">c1&lt;SEP&gt;c2</data><data key="n4">2</data></node>',
  )
})

test('a graph without nodes is GraphML and GEXF too', () => {
  const none = { ids: [], names: [], types: [], descriptions: [], degrees: [], keywords: [], relations: [] }
  const nothing = { entities: none, relationships: none }
  const { read } = write('graphml', { graph: nothing, ids: [] })
  expect(read().split('\n').slice(2)).toEqual([
    '<graph edgedefault="directed">',
    '</graph>',
    '</graphml>',
    '',
  ])
  expect(write('gexf', { graph: nothing, ids: [] }).read()).toContain('<nodes>\n</nodes>\n<edges>\n</edges>')
})

test('a graph of one node has all attributes of nodes', () => {
  const one = { ids: ['e'], names: ['Ann'], types: ['person'], descriptions: ['She.'], degrees: [0] }
  const nothing = { ids: [], keywords: [], relations: [] }
  const opened = {
    graph: { entities: one, relationships: nothing, chunksOfEntity: incidenceOf([[]], 0) },
    ids: [],
  }
  const lines = write('graphml', opened).read().split('\n')
  expect(lines.filter((line) => line.startsWith('<key')).map((line) => line.split('"')[5])).toEqual([
    ...['entity_id', 'entity_type', 'description', 'source_id', 'degree'],
  ])
  expect(lines).toContain(
    '<node id="Ann"><data key="n0">Ann</data><data key="n1">person</data><data key="n2">She.</data><data key="n3"></data><data key="n4">0</data></node>',
  )
})

test('gexf: nodes and numbered edges with attributes', () => {
  const lines = write('gexf').read().split('\n')
  const strings = (...names: string[]) =>
    names.map((name) => `<attribute id="${name}" title="${name}" type="string"/>`)
  expect(lines.slice(2)).toEqual([
    '<graph mode="static" defaultedgetype="directed">',
    ...['<attributes class="node">', ...strings('type', 'description', 'chunks'), '</attributes>'],
    '<attributes class="edge">',
    ...[...strings('description', 'keywords', 'relation', 'chunks'), '</attributes>'],
    '<nodes>',
    '<node id="Ann" label="Ann"><attvalues><attvalue for="type" value="person"/><attvalue for="description" value="She met."/><attvalue for="chunks" value="c1&lt;SEP&gt;c2"/></attvalues></node>',
    '<node id="Bo &amp; &quot;Co&quot;" label="Bo &amp; &quot;Co&quot;"><attvalues><attvalue for="type" value="firm"/><attvalue for="description" value="He lives.&#10;There."/><attvalue for="chunks" value="c1&lt;SEP&gt;c2&lt;SEP&gt;c3"/></attvalues></node>',
    '<node id="Cy" label="Cy"><attvalues><attvalue for="type" value="person"/><attvalue for="description" value=""/><attvalue for="chunks" value=""/></attvalues></node>',
    ...['</nodes>', '<edges>'],
    '<edge id="0" source="Ann" target="Bo &amp; &quot;Co&quot;" weight="1.5"><attvalues><attvalue for="description" value="she met him"/><attvalue for="keywords" value="meet, know"/><attvalue for="relation" value="met, saw"/><attvalue for="chunks" value="c1"/></attvalues></edge>',
    '<edge id="1" source="Bo &amp; &quot;Co&quot;" target="Ann" weight="2"><attvalues><attvalue for="description" value="he knows her"/><attvalue for="keywords" value="know"/><attvalue for="relation" value="knows"/><attvalue for="chunks" value="c2"/></attvalues></edge>',
    ...['</edges>', '</graph>', '</gexf>', ''],
  ])
})

test('csv: nodes and edges as a spreadsheet reads them', () => {
  const { read } = write('csv')
  expect(read('nodes.csv').split(/\r?\n/)).toEqual([
    'Id,Label,EntityType,Description,Degree,Chunks',
    'Ann,Ann,person,She met.,2,c1<SEP>c2',
    '"Bo & ""Co""","Bo & ""Co""",firm,"He lives.',
    ...['There.",2,c1<SEP>c2<SEP>c3', 'Cy,Cy,person,"",0,""', ''],
  ])
  expect(read('edges.csv').split(/\r?\n/)).toEqual([
    'Source,Target,Type,Weight,Description,Keywords,Relation,Chunks',
    'Ann,"Bo & ""Co""",Directed,1.5,she met him,"meet, know","met, saw",c1',
    '"Bo & ""Co""",Ann,Directed,2,he knows her,know,knows,c2',
    '',
  ])
})

test('graphology: nodes by name, numbered edges', () => {
  const network = networkOf({ graph: graph as never, ids: chunks })
  expect(graphologyOf(network)).toEqual({
    options: { type: 'directed', multi: false, allowSelfLoops: false },
    attributes: {},
    nodes: network.nodes.map(({ name, type, description, degree, chunks }) => ({
      key: name,
      attributes: { label: name, type, description, degree, chunks },
    })),
    edges: [
      {
        ...{ key: '0', source: 'Ann', target: 'Bo & "Co"' },
        attributes: {
          ...{ weight: 1.5, description: 'she met him', keywords: 'meet, know' },
          ...{ relations: ['met', 'saw'], chunks: ['c1'] },
        },
      },
      {
        ...{ key: '1', source: 'Bo & "Co"', target: 'Ann' },
        attributes: {
          ...{ weight: 2, description: 'he knows her', keywords: 'know' },
          ...{ relations: ['knows'], chunks: ['c2'] },
        },
      },
    ],
  })
})
