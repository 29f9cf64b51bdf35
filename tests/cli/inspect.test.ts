import { expect, test } from 'vitest'
import { setUp } from './set-up.ts'

const EDGES = 'source,target,chunk\nLomm,Orr,d0\nOrr,Vesk,d1\nLOMM,Orr,d1\n'
const FILES = {
  'own/corpus.jsonl': [
    { _id: 'd0', text: 'The first page.' },
    { _id: 'd1', text: 'The second page.' },
    { _id: 'd2', text: 'The third page.' },
    { _id: 'd3', text: 'The last page.' },
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join(''),
  'own/queries.jsonl': `${JSON.stringify({ _id: 'q0', text: 'Where is Lomm?' })}\n${JSON.stringify({ _id: 'q1', text: 'And where is nothing?' })}\n`,
  'own/qrels/test.tsv': 'q0\td1\t1\nq1\td2\t1\n',
  'e.csv': EDGES,
}

test('inspect says the shape of a graph and how much gold names of queries lead to', async () => {
  const { call } = setUp('dataset: own\nprepare: {graph: {edges: e.csv}}\ntrials: [bm25]\n', FILES)
  const { code, out } = await call('inspect', 'a.yaml', '--hops', '1', '--json')
  expect(code).toBe(0)
  const [{ graphs }] = JSON.parse(out).datasets
  expect(graphs).toHaveLength(1)
  const [{ extractors, statistics, shape, reach }] = graphs
  expect(extractors).toEqual(['edges'])
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
  expect(shown).toMatch(/own, graph of edges/)
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
