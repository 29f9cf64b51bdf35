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

const recipe = { ...recipeOf(documents as never), graph: [{ name: 'titles', params: {} }] }
const FINDER = { communities: { name: 'leiden', params: {} } }
const WRITER = { reports: { name: 'extractive', params: {} } }

/** Writes one form of the graph. */
async function write(name: string, opened: object = all) {
  const form = graphExports.find((one) => one.name === name)
  if (!form) throw new Error(name)
  const path = join(temporaryFolder(), name)
  if (form.folder) mkdirSync(path)
  const inputs = Object.entries(opened).map(([input, value]) => [input, async () => value])
  const writer = await form.writer({ ...recipe, ...FINDER, ...WRITER }).open('', Object.fromEntries(inputs))
  const notes = writer(path)
  return { notes, form, path, read: (file = '') => readFileSync(join(path, file), 'utf8') }
}

test('graphrag: every table, row by row', async () => {
  const { notes, path } = await write('graphrag')
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
