import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DirectedGraph } from 'graphology'
import { describe, expect, test } from 'vitest'
import { openiePassages } from '../../src/corpus/graph/exports/hipporag.ts'
import { undirected } from '../../src/corpus/graph/exports/network.ts'
import { xmlText } from '../../src/corpus/graph/exports/xml.ts'
import { toGraphology } from '../../src/library/export-graph.ts'
import { readForeignTable } from '../../src/tables/foreign.ts'
import { setUp } from './set-up.ts'

const CONFIG = `dataset: towns
prepare: {chunk: passages, embedder: lsa, graph: [rules, titles], communities: leiden, reports: extractive}
trials: [bm25]
measures: [recall@5]
`

describe('touchstone export CONFIG --to', () => {
  test('graphrag: the columns of GraphRAG, and the same graph when read back', async () => {
    const { folder, call } = setUp(CONFIG)
    const done = await call('export', 'a.yaml', '--to', 'graphrag', '-o', 'index', '--json')
    expect(done.err).toBe('')
    const { entities, relationships, notes } = JSON.parse(done.out)
    expect(notes).toEqual([])
    expect(readdirSync(join(folder, 'index')).sort()).toEqual(
      ['communities', 'community_reports', 'documents', 'entities', 'relationships', 'text_units'].map(
        (name) => `${name}.parquet`,
      ),
    )
    const back = CONFIG.replace(
      'graph: [rules, titles], communities: leiden, reports: extractive',
      'graph: [{graphrag: {path: index}}], communities: {graphrag: {path: index}}, reports: {graphrag: {path: index}}',
    )
    writeFileSync(join(folder, 'back.yaml'), back)
    const again = await call('export', 'back.yaml', '--to', 'graphrag', '-o', 'again', '--json')
    expect(JSON.parse(again.out)).toMatchObject({ entities, relationships })
    const columns = ['title', 'type', 'description', 'degree', 'frequency']
    const read = async (path: string) => {
      const table = await readForeignTable(join(folder, path, 'entities.parquet'), columns)
      return table
        .strings('title')
        .map((title, row) => [
          title,
          ...['type', 'description'].map((name) => table.strings(name)[row]),
          table.numbers('degree')[row],
        ])
        .sort()
    }
    expect(await read('again')).toEqual(await read('index'))
    const reports = async (path: string) =>
      (await readForeignTable(join(folder, path, 'community_reports.parquet'), ['full_content']))
        .strings('full_content')
        .sort()
    expect(await reports('again')).toEqual(await reports('index'))
  })

  test('lightrag: a folder that opens as a corpus with the same chunks', async () => {
    const { folder, call } = setUp(CONFIG)
    const done = await call('export', 'a.yaml', '--to', 'lightrag', '-o', 'light')
    expect(done.code).toBe(0)
    expect(done.err).toMatch(/vectors are not written/)
    const chunks = JSON.parse(readFileSync(join(folder, 'light/kv_store_text_chunks.json'), 'utf8'))
    expect(Object.values(chunks)[0]).toMatchObject({ chunk_order_index: 0, full_doc_id: expect.any(String) })
    const text = readFileSync(join(folder, 'light/graph_chunk_entity_relation.graphml'), 'utf8')
    expect(text).toContain('edgedefault="undirected"')
    for (const name of ['entity_type', 'source_id', 'keywords', 'weight', 'file_path'])
      expect(text).toContain(`attr.name="${name}"`)
    writeFileSync(join(folder, 'queries.jsonl'), '')
    const checked = await call(
      'check',
      'a.yaml',
      '--set',
      'dataset=light',
      '--set',
      'prepare.graph=[rules]',
      '--allow-empty',
    )
    expect(checked.out + checked.err).toContain(`${Object.keys(chunks).length} documents`)
  })

  test('graphml, gexf and csv: the same nodes and edges', async () => {
    const { folder, call } = setUp(CONFIG)
    for (const [form, out] of [
      ['graphml', 'g.graphml'],
      ['gexf', 'g.gexf'],
      ['csv', 'g'],
    ])
      expect((await call('export', 'a.yaml', '--to', form, '-o', out)).code).toBe(0)
    const graph = DirectedGraph.from((await toGraphology(join(folder, 'a.yaml'))) as never)
    expect(graph.size).toBeGreaterThan(0)
    const count = (file: string, pattern: RegExp) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(pattern)].length
    expect(count('g.graphml', /^<node /gm)).toBe(graph.order)
    expect(count('g.graphml', /^<edge /gm)).toBe(graph.size)
    expect(count('g.gexf', /^<node /gm)).toBe(graph.order)
    expect(count('g.gexf', /^<edge /gm)).toBe(graph.size)
    expect(count('g/edges.csv', /,Directed,/g)).toBe(graph.size)
    const [name] = graph.nodes()
    expect(graph.getNodeAttributes(name)).toMatchObject({ label: name, chunks: expect.any(Array) })
  })

  test('hipporag: passages with entities and triples', async () => {
    const { folder, call } = setUp(CONFIG)
    expect(
      (await call('export', 'a.yaml', '--to', 'hipporag', '-o', 'openie_results_ner_us.json')).code,
    ).toBe(0)
    const { docs } = JSON.parse(readFileSync(join(folder, 'openie_results_ner_us.json'), 'utf8'))
    expect(docs[0].idx).toMatch(/^chunk-[0-9a-f]{32}$/)
    for (const { extracted_triples } of docs)
      for (const triple of extracted_triples) expect(triple).toHaveLength(3)
  })

  test('what cannot be exported is refused before anything is prepared', async () => {
    const { folder, call } = setUp(CONFIG)
    expect((await call('export', 'a.yaml', '--to', 'trec', '-o', 'x')).err).toMatch(
      /Its graph: --to graphrag, --to lightrag/,
    )
    const without = await call(
      'export',
      'a.yaml',
      '--set',
      'prepare={"chunk": "passages"}',
      '--to',
      'gexf',
      '-o',
      'x',
    )
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('has no `prepare.graph`')])
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full/mine.txt'), 'mine')
    const full = await call('export', 'a.yaml', '--to', 'csv', '-o', 'full')
    expect([full.code, full.err]).toEqual([2, expect.stringContaining('not empty')])
    const two = ['--set', 'prepare.graph={"grid": {"a": ["rules"], "b": ["titles"]}}']
    expect((await call('export', 'a.yaml', ...two, '--to', 'gexf', '-o', 'x')).err).toMatch(/makes 2 graphs/)
  })
})

test('both directions of a pair are one edge of LightRAG', () => {
  const edge = (source: string, target: string, weight: number, description: string, chunks: string[]) => ({
    source,
    target,
    weight,
    description,
    keywords: 'near',
    relations: [],
    chunks,
  })
  const merged = undirected([
    edge('A', 'B', 1, 'a to b', ['c1']),
    edge('B', 'A', 2, 'b to a', ['c1', 'c2']),
    edge('A', 'C', 1, 'a to c', ['c1']),
  ])
  expect(merged).toHaveLength(2)
  expect(merged[0]).toMatchObject({
    weight: 3,
    description: 'a to b<SEP>b to a',
    keywords: 'near',
    chunks: ['c1', 'c2'],
  })
})

test('a triple stands with each passage that it was found in, once', () => {
  const passages = openiePassages(
    [
      { title: 'T', text: 'x' },
      { title: '', text: 'y' },
    ],
    [
      {
        mentions: [
          { name: 'A', chunk: 0 },
          { name: 'A', chunk: 0 },
          { name: 'lost', chunk: -1 },
        ],
        links: [
          { source: 'A', predicate: 'near', target: 'B', chunk: 0, alsoIn: [1] },
          { source: 'A', predicate: 'near', target: 'B', chunk: 0 },
        ],
      },
    ] as never,
  )
  expect(
    passages.map(({ passage, extracted_entities, extracted_triples }) => [
      passage,
      extracted_entities,
      extracted_triples,
    ]),
  ).toEqual([
    ['T\nx', ['A'], [['A', 'near', 'B']]],
    ['y', [], [['A', 'near', 'B']]],
  ])
})

test('names cannot leave their place in XML', () => {
  expect(xmlText('a "b" <c> & \u0000\n\uD800')).toBe('a &quot;b&quot; &lt;c&gt; &amp; \uFFFD&#10;\uFFFD')
})
