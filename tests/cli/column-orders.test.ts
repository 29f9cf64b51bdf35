import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const called = (files: Record<string, string>) => callsIn(temporaryFolder(files), {})
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const CORPUS = ['0', '1', '2', '3'].map((_id) => ({
  _id,
  title: `Town ${_id}`,
  text: `Text of town ${_id}.`,
}))
const QUERIES = [
  { _id: '10', text: 'Tarn?' },
  { _id: '11', text: 'Vesk?' },
]

/** Imports a folder, and reads the qrels that it writes. */
async function imported(files: Record<string, string>, ...argv: string[]) {
  const below = Object.fromEntries(Object.entries(files).map(([name, text]) => [`in/${name}`, text]))
  const { folder, call } = called(below)
  const outcome = await call('import', 'in', '-o', 'out', ...argv)
  const read = (file: string) => readFileSync(join(folder, 'out', file), 'utf8')
  return {
    ...outcome,
    qrels: outcome.code ? '' : read('qrels/test.tsv'),
    corpus: outcome.code ? '' : read('corpus.jsonl'),
  }
}

describe('qrels whose iteration is the last column, as in the TSV of ir_datasets', () => {
  const beir = (qrels: string, ...argv: string[]) =>
    imported(
      { 'corpus.jsonl': lines(CORPUS), 'queries.jsonl': lines(QUERIES), 'qrels/test.tsv': qrels },
      ...argv,
    )
  test('in a BEIR folder they are read, or refused where a group 0 would be read as alternatives', async () => {
    const one = await beir('10\t0\t1\t0\n11\t2\t1\t0\n')
    expect(one.qrels).toBe('query-id\tcorpus-id\tscore\n10\t0\t1\n11\t2\t1\n')
    expect(one.err).toContain('query, document, grade and iteration from columns 1 to 4')
    const two = await beir('10\t0\t1\t0\n10\t1\t1\t0\n11\t2\t1\t0\n')
    expect(two.code).toBe(2)
    expect(two.err).toMatch(
      /test\.tsv:1: can be read as query, document, grade, iteration \(ir_datasets\) and as query, document, grade, group/,
    )
    const said = '--columns'
    const apart = await beir('10\t0\t1\t0\n10\t1\t1\t0\n11\t2\t1\t0\n', said, 'document=2,grade=3')
    expect(apart.qrels).toBe('query-id\tcorpus-id\tscore\n10\t0\t1\n10\t1\t1\n11\t2\t1\n')
    const grouped = await beir('10\t0\t1\t0\n10\t1\t1\t0\n11\t2\t1\t0\n', said, 'document=2,grade=3,group=4')
    expect(grouped.qrels).toContain('10\t1\t1\tg1')
  })
  test('groups of other names stay groups', async () => {
    expect((await beir('10\t0\t1\tg\n10\t1\t1\tg\n11\t2\t1\tg\n')).qrels).toContain('10\t1\t1\tg1')
  })
  test('next to documents of ir_datasets they are read, with a header too, and never as grade 0 of document "1"', async () => {
    const files = {
      'docs.jsonl': lines(CORPUS.map(({ _id, text }) => ({ doc_id: _id, text }))),
      'queries.tsv': '10\tTarn?\n11\tVesk?\n',
    }
    const right = 'query-id\tcorpus-id\tscore\n10\t0\t1\n10\t1\t1\n11\t2\t1\n'
    const plain = await imported({ ...files, qrels: '10 0 1 0\n10 1 1 0\n11 2 1 0\n' })
    expect(plain.qrels).toBe(right)
    expect(plain.err).toContain('qrels: query, document, grade and iteration from columns 1 to 4')
    const headed = 'query_id\tdoc_id\trelevance\titeration\n10\t0\t1\t0\n10\t1\t1\t0\n11\t2\t1\t0\n'
    expect((await imported({ ...files, 'qrels.tsv': headed })).qrels).toBe(right)
    const trec = await imported({ ...files, qrels: '10 0 0 1\n10 0 1 1\n11 0 2 1\n' })
    expect(trec.qrels).toBe(right)
    expect(trec.err).not.toContain('iteration')
  })
  test('score reads them between white space, and asks between tabs', async () => {
    const run = 'q1 Q0 5 1 3 r\nq1 Q0 1 2 2 r\nq2 Q0 6 1 1 r\n'
    const files = {
      'run.trec': run,
      'spaces.txt': 'q1 5 1 0\nq2 6 2 0\n',
      'tabs.tsv': 'q1\t5\t1\t0\nq1\t7\t1\t0\n',
    }
    const { call } = called(files)
    const spaces = await call('score', 'spaces.txt', 'run.trec', '-m', 'map')
    expect(spaces.out).toBe('map                   \tall\t1.0000\n')
    expect(spaces.err).toContain('spaces.txt: query, document, grade and iteration from columns 1 to 4')
    expect((await call('score', 'tabs.tsv', 'run.trec', '-m', 'map')).err).toContain(
      'say which with --qrels-columns document=2,grade=3 or --qrels-columns document=2,grade=3,group=4',
    )
    const said = await call(
      'score',
      'tabs.tsv',
      'run.trec',
      '-m',
      'map',
      '--qrels-columns',
      'document=2,grade=3',
    )
    expect(said.out).toBe('map                   \tall\t0.5000\n')
  })
})

test('three columns of qrels whose second looks like grades are refused with the option that decides', async () => {
  const files = { 'corpus.jsonl': lines(CORPUS), 'queries.jsonl': lines(QUERIES) }
  const { err, code } = await imported({ ...files, 'qrels/test.tsv': '10\t1\t0\n11\t1\t2\n' })
  expect(code).toBe(2)
  expect(err).toMatch(/test\.tsv:1: can be read as query, document, grade and as query, grade, document/)
  const said = await imported(
    { ...files, 'qrels/test.tsv': '10\t1\t0\n11\t1\t2\n' },
    '--columns',
    'document=3,grade=2',
  )
  expect(said.qrels).toContain('11\t2\t1\n')
  expect((await imported({ ...files, 'qrels/test.tsv': '10\t0\t1\n11\t2\t1\n' })).code).toBe(0)
})

test('a run whose ranks are no whole numbers is refused, and scores that count 1, 2, 3 are told', async () => {
  const { call } = called({
    'qrels.txt': 'q1 0 a 1\nq2 0 b 1\n',
    'scores.trec': 'q1 Q0 z 3.5 1 r\nq1 Q0 a 2.5 2 r\nq2 Q0 b 1.2 1 r\n',
    'counts.trec': 'q1 Q0 z 35 1 r\nq1 Q0 a 25 2 r\nq2 Q0 b 12 1 r\n',
    'right.trec': 'q1 Q0 z 0 2 r\nq1 Q0 a 1 1 r\nq2 Q0 b 0 1 r\n',
  })
  const scores = await call('score', 'qrels.txt', 'scores.trec', '-m', 'map')
  expect(scores.code).toBe(2)
  expect(scores.err).toContain(
    'scores.trec:3: the rank `1.2` is not a whole number (are rank and score swapped? TREC has query, Q0, document, rank, score, tag)',
  )
  const told = 'queries whose scores count 1, 2, 3 and whose ranks do not (are rank and score swapped?): 1'
  expect((await call('score', 'qrels.txt', 'counts.trec', '-m', 'map')).err).toContain(told)
  expect((await call('score', 'qrels.txt', 'right.trec', '-m', 'map')).err).not.toContain('swapped')
})

test.each([
  ['caf\u00e9', 'cafe\u0301', '("cafe\\u0301" for "caf\\u00e9")'],
  ['D1', 'd1', '(`d1` for `D1`)'],
  ['007', '7', '(`7` for `007`)'],
  ['7', '7.0', '(`7.0` for `7`)'],
])('a run that spells the judged id %j as %j is told', async (judged, given, example) => {
  const qrels = `q1 0 ${judged} 1\nq2 0 b 1\n`
  const { call } = called({
    'qrels.txt': qrels,
    'run.trec': `q1 Q0 ${given} 1 1 r\nq2 Q0 b 1 1 r\n`,
    'same.trec': `q1 Q0 ${judged} 1 2 r\nq1 Q0 ${given} 2 1 r\n`,
  })
  const { err } = await call('score', 'qrels.txt', 'run.trec', '-m', 'map')
  expect(err).toContain(
    `document ids that qrels.txt judges in another spelling only, which counts as another id: 1 ${example}`,
  )
  expect((await call('score', 'qrels.txt', 'same.trec', '-m', 'map')).err).not.toContain('spelling')
})

test('judged documents that the corpus spells in another way are told where missing gold counts', async () => {
  const { err } = await imported(
    {
      'corpus.jsonl': lines(CORPUS),
      'queries.jsonl': lines(QUERIES),
      'qrels/test.tsv': '10\t00\t1\n11\t2\t1\n',
    },
    '--missing-gold',
    'count',
  )
  expect(err).toContain(
    '1 judged documents are in the corpus in another spelling, which counts as another id (`00` for `0`)',
  )
})

describe('data sets of Hugging Face', () => {
  const rows = { corpus: CORPUS as readonly object[], queries: QUERIES as readonly object[] }
  const hf = (qrels: readonly object[], { corpus, queries } = rows) =>
    imported({
      'corpus/corpus-00000-of-00001.jsonl': lines(corpus),
      'queries/queries-00000-of-00001.jsonl': lines(queries),
      'qrels/test-00000-of-00001.jsonl': lines(qrels),
    })
  const label = (more: object) => [
    { 'query-id': '10', 'corpus-id': '0', ...more },
    { 'query-id': '11', 'corpus-id': '2', ...more },
  ]
  test('an unknown column of grades is no gold', async () => {
    const { err, code } = await hf(label({ relevant: false }))
    expect(code).toBe(2)
    expect(err).toContain('has no column of grades that Touchstone knows, and `relevant` looks like one')
    const others = { iteration: 0, 'Unnamed: 0': 3, __index_level_0__: 1, year: 1998 }
    expect((await hf(label(others))).qrels).toContain('11\t2\t1')
    expect((await hf(label({}))).qrels).toContain('11\t2\t1')
  })
  test('columns of queries and candidates of a query that are not read are told', async () => {
    const { out, err } = await imported({
      'corpus/test.jsonl': lines(CORPUS),
      'queries/test.jsonl': lines(QUERIES.map((query) => ({ ...query, instruction: 'Find.', note: null }))),
      'qrels/test.jsonl': lines(label({ score: 1 })),
      'top_ranked/test.jsonl': lines([{ 'query-id': '10', 'corpus-ids': ['0'] }]),
    })
    expect(out + err).toContain('query=text, not read=instruction;')
    expect(out + err).toContain(
      'not read: top_ranked/test.jsonl, the candidates of each query; every query searches the whole corpus',
    )
  })
  test('a text that is an object is refused in each row, not read as empty', async () => {
    const corpus = CORPUS.map(({ text, ...rest }) => ({ ...rest, text: { body: text } }))
    const nested = await hf(label({ score: 1 }), { ...rows, corpus })
    expect(nested.err.match(/jsonl:\d: the text must be a text, not an object with body/g)).toHaveLength(4)
    const queries = QUERIES.map(({ text, ...rest }) => ({ ...rest, text: [{ role: 'user', content: text }] }))
    expect((await hf(label({ score: 1 }), { ...rows, queries })).err).toContain(
      'the query must be a text, not an object with role, content',
    )
  })
})

test('documents of ir_datasets with several texts: the first that is not empty is read, and the others are told', async () => {
  const files = { 'queries.tsv': 'q1\tTarn?\n', qrels: 'q1 0 d0 1\n' }
  const both = await imported({
    ...files,
    'docs.jsonl': lines([{ doc_id: 'd0', text: 'Lomm', body: 'Lomm lies' }]),
  })
  expect(both.err).toContain('docs.jsonl: text from `text` (not `body`)')
  const empty = await imported({
    ...files,
    'docs.jsonl': lines([{ doc_id: 'd0', title: 'Lomm', text: '', abstract: 'Lomm lies' }]),
  })
  expect(JSON.parse(empty.corpus)).toMatchObject({ title: 'Lomm', text: 'Lomm lies' })
  expect(empty.err).toContain('docs.jsonl: text from `abstract`')
})

test('a row of SQuAD that is marked impossible has no gold', async () => {
  const row = {
    id: 'a',
    context: 'Lomm lies.',
    question: 'Where?',
    answers: { text: ['x'], answer_start: [0] },
  }
  const { folder, call } = called({
    's.jsonl': lines([
      { ...row, is_impossible: true },
      { ...row, id: 'b' },
      { ...row, id: 'c', is_impossible: null },
    ]),
  })
  await call('import', 's.jsonl', '-o', 'out')
  expect(readFileSync(join(folder, 'out/qrels/test.tsv'), 'utf8')).toMatch(/^c\t/m)
  expect(readFileSync(join(folder, 'out/qrels/test.tsv'), 'utf8')).not.toMatch(/^a\t/m)
  expect(readFileSync(join(folder, 'out/queries.jsonl'), 'utf8')).toMatch(/"a".*"answerable":false/)
})
