import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { incidenceOf, transpose } from '../../../src/corpus/graph/csr.ts'
import { graphExports } from '../../../src/corpus/graph/exports/index.ts'
import { temporaryFolder } from '../../temporary.ts'
import { recipeOf } from '../recipes.ts'

const documents = [
  { id: 'd1', title: 'First', text: 'Ann met Bo. Bo knows Ann.', metadata: { year: '1821' } },
  { id: 'd2', title: '', text: 'Bo lives.', metadata: {} },
  { id: 'd3', title: 'Empty', text: '', metadata: {} },
]
const chunk = (id: string, documentId: string, position: number, text: string, tokens: number) => ({
  id,
  documentId,
  position,
  text,
  tokens,
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
const all = { graph, ids: chunks, chunks, documents, communities, reports, findings }

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
    ['graphrag', true],
    ['graphml', false],
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
    id: ['e1', 'e2', 'e3'],
    human_readable_id: [0, 1, 2],
    title: graph.entities.names,
    type: graph.entities.types,
    description: graph.entities.descriptions,
    text_unit_ids: [['c1', 'c2'], ['c1', 'c2', 'c3'], []],
    frequency: [2, 3, 0],
    degree: [2, 2, 0],
  })
  expect(await table('relationships')).toEqual({
    id: ['r1', 'r2'],
    human_readable_id: [0, 1],
    source: ['Ann', 'Bo & "Co"'],
    target: ['Bo & "Co"', 'Ann'],
    description: graph.relationships.descriptions,
    weight: [1.5, 2],
    combined_degree: [4, 5],
    text_unit_ids: [['c1'], ['c2']],
  })
  expect(await table('text_units')).toEqual({
    id: ['c1', 'c2', 'c3'],
    human_readable_id: [0, 1, 2],
    text: chunks.map(({ text }) => text),
    n_tokens: [4, 5, 3],
    document_id: ['d1', 'd1', 'd2'],
    covariate_ids: [[], [], []],
    entity_ids: [['e1', 'e2'], ['e1', 'e2'], ['e2']],
    relationship_ids: [['r1'], ['r2'], []],
  })
  expect(await table('documents')).toEqual({
    id: ['d1', 'd2', 'd3'],
    human_readable_id: [0, 1, 2],
    title: ['First', '', 'Empty'],
    text: documents.map(({ text }) => text),
    creation_date: ['', '', ''],
    text_unit_ids: [['c1', 'c2'], ['c3'], []],
    raw_data: ['{"year":"1821"}', '{}', '{}'],
  })
  expect(await table('communities')).toEqual({
    id: ['k1', 'k2'],
    human_readable_id: [0, 1],
    community: [0, 1],
    level: [0, 1],
    parent: [-1, 0],
    children: [[1], []],
    title: ['All', 'Part'],
    period: ['', ''],
    size: [3, 1],
    entity_ids: [['e1', 'e2', 'e3'], ['e2']],
    relationship_ids: [['r1', 'r2'], []],
    text_unit_ids: [['c1', 'c2', 'c3'], ['c3']],
  })
  const written = await table('community_reports')
  expect(written).toEqual({
    id: ['q1'],
    human_readable_id: [1],
    community: [1],
    level: [1],
    parent: [0],
    children: [[]],
    title: ['Part of it'],
    summary: ['short'],
    full_content: ['# long'],
    rank: [7.5],
    size: [1],
    rating_explanation: [''],
    period: [''],
    findings,
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

test('a graph without nodes has the attributes of nodes and edges', () => {
  const none = { ids: [], names: [], types: [], descriptions: [], degrees: [], keywords: [], relations: [] }
  const { read } = write('graphml', { graph: { entities: none, relationships: none }, ids: [] })
  const lines = read().split('\n')
  expect(lines.filter((line) => line.startsWith('<key')).map((line) => line.split('"')[5])).toEqual([
    'entity_id',
    'entity_type',
    'description',
    'source_id',
    'degree',
    'weight',
    'description',
    'keywords',
    'source_id',
    'relation',
  ])
  expect(lines.slice(12)).toEqual(['<graph edgedefault="directed">', '</graph>', '</graphml>', ''])
})
