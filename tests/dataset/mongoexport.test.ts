import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunkDocuments } from '../../src/corpus/chunks/chunk.ts'
import { extractGraph } from '../../src/corpus/graph/extraction.ts'
import { extractors } from '../../src/corpus/graph/extractors/index.ts'
import { eachMongoRecord } from '../../src/dataset/formats/mongoexport.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import type { Diagnostic } from '../../src/errors.ts'
import { resolve } from '../../src/registry.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const CHUNKS = [
  {
    _id: { $oid: '65b4f0' },
    chunk_id: 'c1',
    ruleset_id: 'sf',
    book_id: 'core',
    run_id: 'r1',
    text: 'Grabbed: you cannot move.',
    page: { $numberInt: '12' },
    content_kind: 'rule',
    tags: ['grabbed'],
    traits: [],
    section_path: ['Combat', 'Grabbed'],
    is_rule_bearing: true,
  },
  { chunk_id: 'c2', ruleset_id: 'sf', book_id: 'core', run_id: 'r1', text: 'Restrained is worse.', page: 13 },
  {
    chunk_id: 'c3',
    ruleset_id: 'sf',
    book_id: 'gm',
    run_id: 'r2',
    text: 'Run a scene.',
    section_path: ['GM'],
  },
]
const QUESTIONS = [
  {
    query_id: 'q1',
    query: 'Can I move?',
    expected_chunk_ids: ['c1'],
    answer: 'No.',
    category: 'rule',
    book_id: 'core',
  },
  { query_id: 'q2', query: 'How do I run it?', expected_chunk_ids: ['c3'], book_id: 'gm' },
  { query_id: 'q3', query: 'Who are you?', answerable: false },
]
const INDEXES = [
  { ruleset_id: 'sf', book_id: 'core', run_id: 'r1', built_at: { $date: '2026-01-27T10:00:00Z' } },
]

const load = (files: Record<string, string>, where = {}) =>
  loadDataset({ name: 'mongoexport', params: { path: '.', where } }, temporaryFolder(files))

describe('the format mongoexport', () => {
  test('chunks are documents with their columns as metadata, questions have gold, indexes are told', async () => {
    const set = await load({
      'enriched_chunks.json': lines(CHUNKS),
      'questions.json': JSON.stringify(QUESTIONS, null, 2),
      'traversal_indexes.jsonl': lines(INDEXES),
    })
    expect(set.documents[0]).toEqual({
      id: 'c1',
      title: 'Grabbed',
      text: 'Grabbed: you cannot move.',
      metadata: {
        ruleset_id: 'sf',
        book_id: 'core',
        run_id: 'r1',
        page: 12,
        content_kind: 'rule',
        tags: ['grabbed'],
        traits: [],
        is_rule_bearing: true,
        section: ['Combat', 'Grabbed'],
      },
    })
    expect(
      set.queries.map(({ id, category, answers, answerable }) => [id, category, answers, answerable]),
    ).toEqual([
      ['q1', 'rule', ['No.'], true],
      ['q2', null, [], true],
      ['q3', null, [], false],
    ])
    expect([...(set.qrels.get('q2') ?? [])]).toEqual([['c3', 1]])
    expect(set.notices).toContain('built as run r1 of sf, core')
  })

  test('a book alone, by `where`: its chunks, its questions and those of no book', async () => {
    const files = { 'enriched_chunks.json': lines(CHUNKS), 'questions.json': lines(QUESTIONS) }
    const set = await load(files, { book_id: ['gm'], ruleset_id: 'sf' })
    expect(set.documents.map(({ id }) => id)).toEqual(['c3'])
    expect(set.queries.map(({ id }) => id)).toEqual(['q2', 'q3'])
    expect(set.notices).toContain('chunks that are not what `where` asks for, left out: 2')
  })

  test('legacy files, one a document, or merged; gzip', async () => {
    const legacy = (records: readonly object[]) => JSON.stringify({ version: 2, chunks: records }, null, 1)
    const files = {
      'a.enriched.json': legacy(CHUNKS.slice(0, 1)),
      'b.enriched.json': legacy(CHUNKS.slice(1)),
    }
    expect((await load(files)).documents).toHaveLength(3)
    const merged = { ...files, 'merged.enriched.json': legacy(CHUNKS.slice(0, 2)) }
    expect((await load(merged)).documents).toHaveLength(2)
    const asked = {
      ...merged,
      'a.evaluation_queries.json': JSON.stringify({ queries: QUESTIONS.slice(0, 1) }),
    }
    const questions = { ...asked, 'b.evaluation_queries.json': JSON.stringify(QUESTIONS.slice(2)) }
    expect((await load(questions)).queries.map(({ id }) => id)).toEqual(['q1', 'q3'])
    const together = { ...questions, 'merged.evaluation_queries.json': lines(QUESTIONS.slice(0, 1)) }
    expect((await load(together)).queries.map(({ id }) => id)).toEqual(['q1'])
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'enriched_chunks.jsonl.gz'), gzipSync(lines(CHUNKS)))
    const zipped = await loadDataset({ name: 'mongoexport', params: { path: folder } }, folder)
    expect(zipped.documents).toHaveLength(3)
  })

  test('every error has its file and line', async () => {
    const wrong = async (files: Record<string, string>) =>
      load(files).then(
        () => '',
        (error) => (error as Error).message,
      )
    const cut = lines(CHUNKS).slice(0, -20)
    expect(await wrong({ 'enriched_chunks.json': cut })).toMatch(
      /enriched_chunks.json:3:90: is not valid JSON: unterminated string/,
    )
    const said = await wrong({
      'enriched_chunks.json': `${lines(CHUNKS)}{"chunk_id": 7.5}\n{"chunk_id": "c1", "text": "x"}\nnull\n`,
      'questions.json': lines([{ query_id: 'q', query: 'x', expected_chunk_ids: 'c1' }]),
      'traversal_indexes.json': lines([{ run_id: 'r9' }]),
    })
    expect(said).toMatch(
      /enriched_chunks.json:4: `chunk_id` is the number 7.5; an id is a text or a whole number/,
    )
    expect(said).toMatch(/enriched_chunks.json:5: duplicate document id "c1"/)
    expect(said).toMatch(/enriched_chunks.json:6: is not a record here, but `null`/)
    expect(said).toMatch(/questions.json:1: `expected_chunk_ids` must be a list of ids, not the string "c1"/)
    expect(said).toMatch(/traversal_indexes.json:1: is of the run "r9", which has no chunk here/)
  })
})

describe('records of mongoexport', () => {
  const read = async (text: string) => {
    const folder = temporaryFolder({ 'x.json': text })
    const records: unknown[] = []
    const diagnostics: Diagnostic[] = []
    const sink = { diagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) }
    await eachMongoRecord(folder, 'x.json', 'items', sink, (record) => void records.push(record))
    return { records, diagnostics }
  }
  const record = fc.dictionary(
    fc.string({ maxLength: 4 }).map((key) => `k${key}`),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  )
  const forms: readonly ((records: readonly object[]) => string)[] = [
    (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    (records) => JSON.stringify(records),
    (records) => `[${records.map((record) => JSON.stringify(record)).join(',\n')}]\n`,
    (records) => JSON.stringify(records, null, 2),
    (records) => records.map((record) => JSON.stringify(record, null, '\t')).join('\r\n'),
    (records) => JSON.stringify({ items: records }),
  ]

  test('a list that is cut anywhere is an error, and what stands before the cut is read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 4 }), fc.nat(), async (records, at) => {
        const whole = forms[2](records).trimEnd()
        const cut = whole.slice(0, 1 + (at % (whole.length - 1)))
        const { records: found, diagnostics } = await read(cut)
        expect(diagnostics).toHaveLength(1)
        expect(diagnostics[0].message).toMatch(/the file seems to be cut/)
        expect(diagnostics[0].line).toBe(cut.replace(/\n$/, '').split('\n').length)
        expect(found).toEqual(JSON.parse(JSON.stringify(records)).slice(0, found.length))
      }),
    )
  })
})

describe('the extractor mongoexport', () => {
  const documents = CHUNKS.map(({ chunk_id: id, text }) => ({ id, title: '', text, metadata: {} }))
  const chunks = chunkDocuments(documents, { name: 'passages', params: {} })
  const NODES = [
    { node_id: 'n1', name: 'Grabbed', type: 'condition', chunk_ids: ['c1', 'gone'] },
    { node_id: 'n2', book_id: 'gm' },
  ]
  const EDGES = [
    { source_id: 'c1', target_id: 'c2', relation: 'next', book_id: 'core', metadata: { weight: null } },
    { source_id: 'c2', target_id: 'n1', relation: 'describes', metadata: { weight: 2, description: 'both' } },
    { source_id: 'n1', target_id: 'nowhere', relation: 'has_trait' },
  ]
  const extract = (files: Record<string, string>, where = {}) => {
    const params = { path: temporaryFolder(files), where }
    return extractGraph({ chunks, documents }, [resolve(extractors, { name: 'mongoexport', params })])
  }

  test('edges are typed relationships of chunks and nodes', async () => {
    const forms: Record<string, string>[] = [
      { 'graph_nodes.json': lines(NODES), 'graph_edges.json': lines(EDGES) },
      { 'merged.graph.json': JSON.stringify({ nodes: NODES, edges: EDGES }) },
      {
        'a.graph.json': JSON.stringify({ nodes: NODES, edges: EDGES.slice(0, 1) }),
        'b.graph.json': JSON.stringify({ edges: EDGES.slice(1) }),
      },
      { 'a.graph.json': JSON.stringify({ edges: EDGES }), 'b.graph.json': JSON.stringify({ nodes: NODES }) },
      { 'a.graph.json': JSON.stringify([...NODES, ...EDGES]) },
      {
        'a.graph.json': JSON.stringify({ edges: EDGES.slice(0, 1) }),
        'merged.graph.json': JSON.stringify({ nodes: NODES, edges: EDGES }),
      },
    ]
    for (const files of forms) {
      const { graph, counts } = await extract(files)
      const { entities, relationships } = graph
      expect(entities.names).toEqual(['c1', 'c2', 'Grabbed'])
      expect(entities.types[2]).toBe('condition')
      expect(relationships.relations).toEqual([['next'], ['describes']])
      expect(relationships.descriptions).toEqual(['c1 next c2', 'both'])
      expect([...relationships.weights]).toEqual([1, 2])
      expect([...graph.chunksOfEntity.members.slice(graph.chunksOfEntity.offsets[2])]).toEqual([0, 1])
      expect(counts.mongoexport).toMatchObject({ unknownChunks: 1, danglingRelationships: 1 })
    }
  })

  test('what is wrong is told with its line; another corpus too', async () => {
    const bad = lines([
      ...EDGES,
      { source_id: 1, target_id: 'c1', relation: 'x' },
      { source_id: 'c1', target_id: 'c2' },
      { source_id: 'c1', target_id: 'c2', relation: 'x', metadata: { weight: 'much' } },
    ])
    await expect(extract({ 'graph_edges.json': bad })).rejects.toThrow(
      /graph_edges.json:4: has no "source_id" and "target_id" that are strings\n.*graph_edges.json:5: has no "relation".*\n.*graph_edges.json:6: "metadata.weight" must be a number, 0 or more/,
    )
    await expect(extract({ 'graph_edges.json': lines(EDGES).slice(0, -9) })).rejects.toThrow(
      /graph_edges.json:3:56: is not valid JSON: unterminated string/,
    )
    const other = lines([{ source_id: 'x', target_id: 'y', relation: 'next' }])
    await expect(extract({ 'graph_edges.json': other })).rejects.toThrow('belongs to another corpus')
    const { definition } = resolve(extractors, { name: 'mongoexport', params: { path: '/nowhere' } })
    expect(() => definition.files?.({ path: '/nowhere' } as never)).toThrow('graph_edges.json')
  })
})
