import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GraphDescription } from '../../src/results/graphs.ts'
import { setUp } from './set-up.ts'

/** GraphML of edges with their chunks, and of the nodes at their ends. */
function graphml(edges: readonly (readonly [source: string, target: string, chunk: string])[]): string {
  const data = (ids: Iterable<string>) => `<data key="chunks">${[...ids].join('&lt;SEP&gt;')}</data>`
  const chunks = new Map<string, Set<string>>()
  for (const [source, target, chunk] of edges)
    for (const name of [source, target]) chunks.set(name, (chunks.get(name) ?? new Set()).add(chunk))
  return `<graphml><graph>${[
    ...[...chunks].map(([name, all]) => `<node id="${name}">${data(all)}</node>`),
    ...edges.map(
      ([source, target, chunk]) => `<edge source="${source}" target="${target}">${data([chunk])}</edge>`,
    ),
  ].join('')}</graph></graphml>`
}

const EDGES = graphml([
  ['Lomm', 'Orr', 'd0'],
  ['Orr', 'Vesk', 'd1'],
  ['LOMM', 'Orr', 'd1'],
])
const FILES = {
  'own/corpus.jsonl': [
    { _id: 'd0', text: 'The first page, of Lomm and Orr.' },
    { _id: 'd1', text: 'The second page, of Orr and Vesk.' },
    { _id: 'd2', text: 'The third page.' },
    { _id: 'd3', text: 'The last page.' },
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join(''),
  'own/queries.jsonl': `${JSON.stringify({ _id: 'q0', text: 'Where is Lomm?' })}\n${JSON.stringify({ _id: 'q1', text: 'And where is nothing?' })}\n`,
  'own/qrels/test.tsv': 'q0\td1\t1\nq1\td2\t1\n',
  'g.graphml': EDGES,
}

test('inspect says the shape of a graph and how much gold names of queries lead to', async () => {
  const { call } = setUp('dataset: own\nprepare: {graph: {graphml: g.graphml}}\ntrials: [bm25]\n', FILES)
  const { code, out } = await call('inspect', 'a.yaml', '--hops', '1', '--json')
  expect(code).toBe(0)
  const [{ graphs }] = JSON.parse(out).datasets
  expect(graphs).toHaveLength(1)
  const [{ extractors, statistics, shape, reach }] = graphs
  expect(extractors).toEqual(['graphml'])
  expect(statistics).toMatchObject({ entities: 4, relationships: 3, components: 1, isolatedChunks: 2 })
  expect(shape.degrees).toEqual([
    { from: 1, to: 1, entities: 3 },
    { from: 2, to: 3, entities: 1 },
  ])
  expect(shape.largest[0]).toEqual({ name: 'Orr', neighbors: 3, chunks: 2 })
  expect(shape.duplicates).toEqual([['LOMM', 'Lomm']])
  // From d0 and d1 relationships lead to each other; from the two others nowhere.
  expect(shape.neighborsPerChunk).toBe(0.5)
  // The first query names both spellings, whose chunks are d0 and d1; the second names nothing.
  expect(reach).toEqual({
    queries: 2,
    linked: 0.5,
    byHops: [
      { hops: 0, gold: 0.5, chunks: 0.25 },
      { hops: 1, gold: 0.5, chunks: 0.25 },
    ],
  })
  const shown = (await call('inspect', 'a.yaml')).out
  expect(shown).toMatch(/own, graph of graphml/)
  expect(shown).toMatch(/gold within 2 hops of named entities \(chunks reached: 25\.0 %\) +50\.0 %/)
  expect(shown).toContain('alike: LOMM = Lomm')
})

test('inspect of a config without a graph is refused', async () => {
  const { call } = setUp('dataset: towns\ntrials: [bm25]\n')
  expect(await call('inspect', 'a.yaml')).toMatchObject({
    code: 2,
    err: 'the config has no graph; name one in `prepare.graph`, as `graph: [rules, titles]`\n',
  })
})

test('inspect --entity shows the neighbours of an entity', async () => {
  const { call } = setUp('dataset: own\nprepare: {graph: {graphml: g.graphml}}\ntrials: [bm25]\n', FILES)
  const { out } = await call('inspect', 'a.yaml', '--entity', 'Orr')
  expect(out).toMatch(/^own, graph of graphml: Orr, 3 neighbours, 2 chunks\n/)
  expect(out).toMatch(/\nLOMM +1 +LOMM Orr\n/)
  const { entities } = JSON.parse((await call('inspect', 'a.yaml', '--entity', 'Orr', '--json')).out)
  expect(entities).toHaveLength(1)
  expect(entities[0].neighbors.map(({ name }: { name: string }) => name)).toEqual(['LOMM', 'Lomm', 'Vesk'])
  expect(await call('inspect', 'a.yaml', '--entity', 'Oro')).toMatchObject({
    code: 2,
    err: 'no graph has the entity `Oro` (did you mean "Orr"?)\n',
  })
})

test('a run describes its graph, and the report draws it with the paths that a strategy walked', async () => {
  const config = 'name: a\ndataset: own\nprepare: {graph: {graphml: g.graphml}}\ntrials: [bm25, pathrag]\n'
  const { call, folder } = setUp(config, FILES)
  expect(await call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  const [graph]: GraphDescription[] = JSON.parse(
    readFileSync(join(folder, 'experiments/a/graphs.json'), 'utf8'),
  )
  expect(graph.extractors).toEqual(['graphml'])
  expect(graph.reach).toMatchObject({ queries: 2, linked: 0.5 })
  const [query, ...others] = graph.pictures
  expect(query).toMatchObject({ query: 0, title: 'Where is Lomm?' })
  const names = query.nodes.filter(({ start }) => start).map(({ name }) => name)
  expect(names).toEqual(['LOMM', 'Lomm'])
  // d1, the gold, mentions LOMM itself.
  expect(query.nodes.filter(({ goal }) => goal).map(({ name }) => name)).toEqual(['LOMM'])
  expect(query.edges.some(({ walked }) => walked)).toBe(true)
  expect(query.paths[0].names).toContainEqual(['Lomm', 'Orr', 'LOMM'])
  expect(others.map(({ title }) => title)).toEqual(expect.arrayContaining(['Orr']))
  const page = readFileSync(join(folder, 'reports/a.html'), 'utf8')
  expect(page).toContain('<section id="graph"')
  expect(page).toContain('class="walked"')
})

test('a report without a graph has no graph section', async () => {
  const { call, folder } = setUp('name: a\ndataset: own\ntrials: [bm25]\n', FILES)
  expect(await call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'reports/a.html'), 'utf8')).not.toContain('id="graph"')
})

test('of more than 30 neighbours the terminal shows 30 and counts the others', async () => {
  const edges = Array.from({ length: 33 }, (_, at) => ['Orr', `Lomm ${at}`, 'd0'] as const)
  const files = { ...FILES, 'g.graphml': graphml(edges) }
  const { call } = setUp('dataset: own\nprepare: {graph: {graphml: g.graphml}}\ntrials: [bm25]\n', files)
  const { out } = await call('inspect', 'a.yaml', '--entity', 'Orr')
  expect(out.match(/^Lomm \d+ /gm)).toHaveLength(30)
  expect(out).toContain('and 3 more; all with --json')
})
