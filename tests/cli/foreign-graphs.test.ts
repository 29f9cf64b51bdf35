import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { number, text, texts, whole } from '../../src/tables/column.ts'
import { writeTable } from '../../src/tables/parquet.ts'
import { callsInTowns } from './calls.ts'

const TITLES = ['C', 'C++', 'C#', 'RITCHIE', 'STROUSTRUP']

/** A GraphRAG index over the towns: 4 communities and 5 reports, of which some name entities that are not there. */
function writeIndex(path: string): void {
  mkdirSync(path, { recursive: true })
  const file = (name: string) => join(path, `${name}.parquet`)
  writeTable(file('entities'), [
    text(
      'id',
      TITLES.map((_, row) => `e${row}`),
    ),
    text('title', TITLES),
    text(
      'type',
      TITLES.map(() => 'LANGUAGE'),
    ),
    text(
      'description',
      TITLES.map((title) => `what ${title} is`),
    ),
    texts(
      'text_unit_ids',
      TITLES.map((_, row) => [`d${row}`]),
    ),
  ])
  const pairs = [
    ['C', 'C++'],
    ['C++', 'C#'],
    ['C', 'RITCHIE'],
    ['C++', 'STROUSTRUP'],
    ['C', 'NOBODY'],
  ]
  writeTable(file('relationships'), [
    text(
      'source',
      pairs.map(([source]) => source),
    ),
    text(
      'target',
      pairs.map(([, target]) => target),
    ),
    text(
      'description',
      pairs.map((pair) => pair.join(' led to ')),
    ),
    number(
      'weight',
      pairs.map(() => 1),
    ),
    texts(
      'text_unit_ids',
      pairs.map(() => ['d0']),
    ),
  ])
  writeTable(file('communities'), [
    whole('community', [0, 1, 2, 3]),
    whole('level', [0, 0, 1, 1]),
    whole('parent', [-1, -1, 0, 1]),
    {
      name: 'entity_ids',
      type: 'strings',
      values: [['e0', 'e1', 'e2', 'e3', 'e4'], ['gone'], ['e0', 'e3'], ['e1', 'e4', 'gone']],
    },
  ])
  const reports = [0, 1, 2, 3, 9]
  writeTable(file('community_reports'), [
    whole('community', reports),
    text(
      'title',
      reports.map((community) => `Report ${community}`),
    ),
    text(
      'summary',
      reports.map(() => 'Languages and the town of glass.'),
    ),
    number('rank', reports),
    {
      name: 'findings',
      type: 'records',
      fields: ['explanation', 'summary'],
      values: reports.map(() => [{ summary: 'glass', explanation: 'TownB1 lives by glass.' }]),
    },
  ])
}

const TEXTS = [
  'The harbour of Lomm was dug by hand in one winter, say the old books of the guild.',
  'Nobody in Tarn has ever seen the sea, though its fishermen row on the lake each day.',
  'Vesk keeps forty cranes on its northern wall, and each of them bears a name.',
]

/** The index with text units, so that it is a dataset. */
function writeOutput(path: string): void {
  writeIndex(path)
  writeTable(join(path, 'text_units.parquet'), [
    text(
      'id',
      TEXTS.map((_, row) => `d${row}`),
    ),
    text('text', TEXTS),
    text(
      'document_id',
      TEXTS.map(() => 'book'),
    ),
  ])
}

const QUESTIONS = `${JSON.stringify({ _id: 'q0', text: 'What did Lomm dig in one winter?', gold: [{ quote: 'The harbour of Lomm was dug by hand' }] })}\n`
const OWN = `dataset: {graphrag: {path: output, questions: q.jsonl}}
prepare: {embedder: lsa}
trials: [bm25, graphrag-local, graphrag-global]
measures: [recall@1]
compare: {draws: 100}
`

test('a GraphRAG folder is corpus, graph, communities and reports in one line, with gold by quote', async () => {
  const { folder, call, summaryOf } = callsInTowns(OWN, { 'q.jsonl': QUESTIONS })
  writeOutput(join(folder, 'output'))
  const checked = await call('check', 'a.yaml')
  expect(checked.code).toBe(0)
  expect(checked.out).toContain(
    'note: it holds its own graph, communities, reports, which `prepare` takes if the config names no graph',
  )
  expect(checked.out).toContain('note: entities.parquet: its chunks are matched by id (3), not at all (2)')
  const ran = await call('run', 'a.yaml', '--workers', '1', '--out', 'x', '--report', 'x.html')
  expect(ran.code).toBe(0)
  const { trials, indexes } = summaryOf('x')
  expect(indexes[0].counts).toMatchObject({ entities: 5, relationships: 4, communities: 3 })
  expect(trials[0].measures['recall@1'].mean).toBe(1)
})

test('of several datasets each brings its own graph, as if it were alone', async () => {
  const both = `name: both\n${OWN.replace(
    '{graphrag: {path: output, questions: q.jsonl}}',
    '[{graphrag: {path: output, questions: q.jsonl}}, {graphrag: {path: other, questions: q.jsonl}}]',
  )}`
  const single = `name: both\n${OWN.replace('output', 'other')}`
  const { folder, call, read } = callsInTowns(both, { 'alone.yaml': single, 'q.jsonl': QUESTIONS })
  writeOutput(join(folder, 'output'))
  writeOutput(join(folder, 'other'))
  const path = join(folder, 'other', 'relationships.parquet')
  // One relationship: its graph is not the other's.
  writeTable(path, [
    text('source', ['C']),
    text('target', ['C++']),
    text('description', ['led to']),
    number('weight', [1]),
    texts('text_unit_ids', [['d0']]),
  ])
  for (const config of ['a', 'alone']) {
    const ran = await call('run', `${config}.yaml`, '--workers', '1', '--out', config)
    expect(ran.code, ran.err).toBe(0)
  }
  const relationships = ['output', 'other'].map(
    (name) => read(`a/${name}/summary.json`).indexes[0].counts.relationships,
  )
  expect(relationships).toEqual([4, 1])
  // Ids of trials are those of the first dataset, so that a table over both can join them.
  const { 'trials.parquet': _, ...tables } = read('a/other/manifest.json').files
  expect(read('alone/manifest.json').files).toMatchObject(tables)
})
