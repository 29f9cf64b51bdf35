import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareRuns, scoreRun } from '../../src/index.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'
import { setUp } from './set-up.ts'

const QRELS = 'q1 0 D10 1\nq2 0 D20 1\n'
const FOREIGN = 'q1 Q0 10 1 2 foreign\nq2 Q0 20 1 1 foreign\n'
const OWN = 'q1 Q0 D10 1 2 own\nq1 Q0 D11 2 1 own\nq2 Q0 D20 1 1 own\n'
const NONE = 'foreign.trec: none of its documents is judged in qrels.txt: are the document ids the same?'

test('score and compare warn of a run without a judged document, and show the judged share of the first ten', async () => {
  const { call } = callsIn(
    temporaryFolder({ 'qrels.txt': QRELS, 'foreign.trec': FOREIGN, 'own.trec': OWN }),
    {},
  )
  const alone = await call('score', 'qrels.txt', 'foreign.trec', '-m', 'map')
  expect(alone.code).toBe(0)
  expect(alone.out).toBe('map                   \tall\t0.0000\n')
  expect(alone.err).toContain(NONE)
  expect(alone.err).toContain('(judged@10): 0.0000')
  const own = await call('score', 'qrels.txt', 'own.trec', '-m', 'map')
  expect(own.err).not.toContain('none of its documents')
  expect(own.err).toContain('(judged@10): 0.7500')
  const both = await call('score', 'qrels.txt', 'own.trec', 'foreign.trec', '-m', 'map', '-J')
  expect(both.err).toContain(NONE)
  expect(both.out).toMatch(/run +map +judged@10\nown +1\.0000 +0\.7500\nforeign +0\.0000 +0\.0000/)
  const { runs } = JSON.parse((await call('score', 'qrels.txt', 'own.trec', 'foreign.trec', '--json')).out)
  expect(runs.map((run: Record<string, number>) => run['judged@10'])).toEqual([0.75, 0])
  const compared = await call('compare', 'qrels.txt', 'own.trec', 'foreign.trec', '-m', 'map')
  expect(compared.err).toContain(NONE)
  expect(compared.out).toMatch(/run +map +judged@10 +beats/)
  const json = JSON.parse(
    (await call('compare', 'qrels.txt', 'own.trec', 'foreign.trec', '-m', 'map', '--json')).out,
  )
  expect(json.runs.map((run: Record<string, number>) => run['judged@10'])).toEqual([0.75, 0])
})

test('a comparison with a run without a judged document has no verdict', async () => {
  const lines = (of: (query: string) => string) => Array.from({ length: 20 }, (_, at) => of(`${at}`)).join('')
  const { call } = callsIn(
    temporaryFolder({
      'qrels.txt': lines((q) => `q${q} 0 D${q} 1\n`),
      'own.trec': lines((q) => `q${q} Q0 D${q} 1 2 own\n`),
      'half.trec': lines((q) => `q${q} Q0 D${Number(q) % 2 ? q : 'x'} 1 2 half\n`),
      'foreign.trec': lines((q) => `q${q} Q0 ${q} 1 2 foreign\n`),
    }),
    {},
  )
  const argv = ['compare', 'qrels.txt', 'own.trec', 'half.trec', 'foreign.trec', '-m', 'map', '--json']
  const { runs, comparisons } = JSON.parse((await call(...argv)).out)
  expect(comparisons.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['worse', 'cannot tell'])
  expect(await call(...argv, '--margin', '1')).toMatchObject({
    code: 2,
    err: expect.stringContaining('a margin of 1 is the whole range of `map`'),
  })
  expect(runs.map(({ beats }: { beats: string }) => beats)).toEqual(['a', '', ''])
})

test.each([
  ['run.trec', 'q1 Q0 D1 1 .1 t\nq1 Q0 D2 2 .2 t\nq2 Q0 D3 1 .5 t\n'],
  ['run.csv', 'qid,docno,rank,score\nq1,D1,0,1\nq1,D2,1,2\nq2,D3,0,1\n'],
  ['run.tsv', 'rank\tqid\tdocno\tscore\n1\tq1\tD1\t1\n2\tq1\tD2\t2\n1\tq2\tD3\t1\n'],
])('a run of distances is told: the ranks of %s contradict its scores', async (name, run) => {
  const { call } = callsIn(temporaryFolder({ 'qrels.txt': 'q1 0 D1 1\nq2 0 D3 1\n', [name]: run }), {})
  const { out, err } = await call('score', 'qrels.txt', name, '-m', 'map')
  expect(out).toBe('map                   \tall\t0.7500\n')
  expect(err).toContain(
    `${name}: queries whose ranks contradict their scores, of which the highest is the best here`,
  )
  expect(err).toMatch(/as in trec_eval: 1\n/)
})

test('ranks say nothing where scores tie or no rank differs; scores that are all equal are told', async () => {
  const lines = (...rows: string[]) => rows.map((row) => `q1 Q0 ${row} t\n`).join('')
  const files = {
    'tied.trec': lines('D1 1 2', 'D2 2 2', 'D3 3 1'),
    'unranked.trec': lines('D1 0 1', 'D2 0 2'),
    'descending.trec': lines('D2 2 1', 'D1 1 2'),
    'flat.trec': lines('D1 1 0', 'D2 2 0'),
  }
  const { call } = callsIn(temporaryFolder({ 'qrels.txt': 'q1 0 D1 1\n', ...files }), {})
  for (const name of ['tied', 'unranked', 'descending'])
    expect((await call('score', 'qrels.txt', `${name}.trec`)).err).not.toMatch(/ranks|all equal/)
  const flat = await call('score', 'qrels.txt', 'flat.trec', '-m', 'map')
  expect(flat.out).toContain('0.5000')
  expect(flat.err).toContain('queries whose scores are all equal, ordered by id and not by rank')
})

test('queries without a relevant document are told, as they count as 0', async () => {
  const { call } = callsIn(
    temporaryFolder({ 'qrels.txt': 'q1 0 D1 0\nq1 0 D2 -1\nq2 0 D3 1\n', 'own.trec': 'q2 Q0 D3 1 1 t\n' }),
    {},
  )
  const { out, err } = await call('score', 'qrels.txt', 'own.trec', '-m', 'map')
  expect(out).toContain('0.5000')
  expect(err).toContain(
    'qrels.txt: judged queries without a document of grade 1 or higher, counted as 0: 1\n',
  )
})

test('the library says the judged share too', async () => {
  const qrels = { q1: { D10: 1 } }
  expect((await scoreRun(qrels, { q1: { '10': 2 } }, ['map'])).judged).toBe(0)
  const two = { q1: { D10: 1 }, q2: { D20: 1 } }
  const { judged } = await compareRuns(two, { own: two, foreign: { q1: { '10': 1 }, q2: { '20': 1 } } })
  expect(judged).toEqual({ own: 1, foreign: 0 })
})

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
const FILES = {
  'data/corpus.jsonl': lines({ _id: '10', text: 'Lomm lies at Orr' }, { _id: '20', text: 'Vesk has cranes' }),
  'data/queries.jsonl': lines({ _id: 'q1', text: 'Lomm' }, { _id: 'q2', text: 'Vesk' }),
}
const CONFIG = 'trials: [bm25]\nmeasures: [recall@1]\ncompare: {draws: 100}\n'

test('gold outside the corpus: refused with a question, or counted and told by check, run and report', async () => {
  const folder = temporaryFolder({
    ...FILES,
    'data/qrels/test.tsv': 'q1\tD10\t1\nq2\tD20\t1\n',
    'a.yaml': `dataset: {beir: {path: data, missingGold: count}}\n${CONFIG}`,
  })
  const { call, run } = callsIn(folder, {})
  const said =
    'none of the judged documents is in the corpus: are the document ids of qrels and corpus the same?'
  const refused = await call('check', 'data')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(said)
  expect((await call('check', 'a.yaml')).out).toContain(said)
  const { err, out } = await run('out')
  expect(err).toContain(said)
  expect(out.replace(/\s+/g, ' ')).toContain('No trial finds a relevant passage for any query.')
  expect(readFileSync(join(folder, 'out.html'), 'utf8')).toContain(said)
})

test("another system's row that finds no gold is told in the terminal and the report, with its judged share", async () => {
  const folder = temporaryFolder({
    ...FILES,
    'data/qrels/test.tsv': 'q1\t10\t1\nq2\t20\t1\n',
    'other.trec': 'q1 Q0 20 1 1 other\nq2 Q0 10 1 1 other\n',
    'a.yaml': `dataset: data\n${CONFIG}runs: [{path: other.trec, name: other}]\n`,
  })
  const { out } = await callsIn(folder, {}).run('out')
  expect(out.replace(/\s+/g, ' ')).toContain('other: none of its documents is relevant to any query')
  const report = readFileSync(join(folder, 'out.html'), 'utf8')
  expect(report).toContain('none of its documents is relevant to any query')
  const { health } = JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8'))
  const shares = health.trials.map(({ name, unjudged }: { name: string; unjudged: unknown }) => [
    name,
    unjudged,
  ])
  expect(shares).toEqual([
    ['bm25', null],
    ['other', { k: 1, share: 1 }],
  ])
})

test('check reads the run files of a config: the errors that `run` would find, of all files at once', async () => {
  const config =
    'dataset: towns\ntrials: [bm25, {run: {path: c.trec}}]\nruns: [a.trec, b.csv]\nmeasures: [recall@5]\n'
  const { folder, call } = setUp(config, {
    'a.trec': 'q0 Q0 d0 1 0x10 a\nq0 Q0 d\0 2 1 a\n',
    'b.csv': 'query,document,score\nq0,d0,1\nq0,d0,0.5\n',
    'c.trec': 'nobody Q0 d0 1 1 c\n',
  })
  const wrong = await call('check', 'a.yaml')
  expect(wrong.code).toBe(2)
  expect(wrong.err).toMatch(/a\.trec:1: .*0x10/)
  expect(wrong.err).toMatch(/a\.trec:2: .*NUL|a\.trec:2: .*control/)
  expect(wrong.err).toMatch(/b\.csv:3: .*d0/)
  expect(wrong.err).toContain('c.trec: holds none of the queries of towns')
  writeFileSync(join(folder, 'a.trec'), 'q0 Q0 d0 1 1 a\n')
  writeFileSync(join(folder, 'b.csv'), 'query,document,score\nq0,d0,1\n')
  writeFileSync(join(folder, 'c.trec'), 'q0 Q0 d0 1 1 c\n')
  expect(await call('check', 'a.yaml')).toMatchObject({ code: 0, err: '' })
})

test('columns of a run that leave a choice, and ranks against scores, are told by check; two readings are refused', async () => {
  const config = (run: string) => `dataset: towns\ntrials: [bm25]\nruns: [${run}]\nmeasures: [recall@5]\n`
  const rows = Array.from(
    { length: 12 },
    (_, q) => `q${q},${q + 90},d${q},1,0.5\nq${q},${q + 70},d${(q + 1) % 12},2,0.9\n`,
  )
  const header = (names: string) => `${names},rank,score\n${rows.join('')}`
  const { folder, call } = setUp(config('pyterrier.csv'), {
    'pyterrier.csv': header('qid,docid,docno'),
    'two.csv': header('qid,corpus_id,docno'),
  })
  const said = [
    'pyterrier.csv: query from `qid`, document from `docno` (not `docid`), score from `score`; first record: query `q0`, document `d0`, score 0.5',
    'pyterrier.csv: queries whose ranks contradict their scores, of which the highest is the best here, as in trec_eval: 12',
  ]
  const checked = await call('check', 'a.yaml')
  expect(checked.code).toBe(0)
  for (const line of said) expect(checked.out).toContain(`note: ${line}`)
  writeFileSync(join(folder, 'a.yaml'), config('two.csv'))
  for (const command of [['check'], ['run', '--workers', '1']]) {
    const refused = await call(...command, 'a.yaml')
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(
      'two.csv:1: the document can be `docno` or `corpus_id`; say which with `columns: {document: docno}` of the run',
    )
  }
  // Nor do the queries of the dataset decide.
  writeFileSync(join(folder, 'queries.csv'), header('qid,query_id,document'))
  writeFileSync(join(folder, 'a.yaml'), config('queries.csv'))
  for (const command of ['check', 'run'])
    expect((await call(command, 'a.yaml')).err).toContain(
      'queries.csv:1: the query can be `query_id` or `qid`',
    )
  writeFileSync(join(folder, 'a.yaml'), config('{path: two.csv, columns: {document: docno}}'))
  expect(await call('check', 'a.yaml')).toMatchObject({ code: 0 })
  expect(await call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  // Both ways in which one file is read are told.
  const ways = ['docno', 'corpus_id'].map(
    (name) => `{path: two.csv, name: ${name}, lenient: true, columns: {document: ${name}}}`,
  )
  writeFileSync(join(folder, 'a.yaml'), config(ways.join(', ')))
  const twice = await call('check', 'a.yaml')
  for (const name of ['docno', 'corpus_id'])
    expect(twice.out).toContain(`note: two.csv: query from \`qid\`, document from \`${name}\``)
})

test('compare --cluster gold tests queries that share a relevant document as one', async () => {
  const ids = Array.from({ length: 40 }, (_, query) => query)
  const line = (query: number, document: string) => `q${query} Q0 ${document} 1 1 x\n`
  const { call } = callsIn(
    temporaryFolder({
      // Four questions a document; grade 0 joins nothing.
      'qrels.txt': ids.map((q) => `q${q} 0 d${q % 10} 1\nq${q} 0 other 0\n`).join(''),
      'good.trec': ids.map((q) => line(q, q % 10 < 5 || q < 20 ? `d${q % 10}` : 'other')).join(''),
      'bad.trec': ids.map((q) => line(q, 'other')).join(''),
    }),
    {},
  )
  const asked = ['compare', 'qrels.txt', 'bad.trec', 'good.trec', '-m', 'recall@1']
  const compare = async (...more: string[]) => JSON.parse((await call(...asked, '--json', ...more)).out)
  const alone = await compare()
  expect(alone).not.toHaveProperty('clusters')
  expect(alone.comparisons[0]).toMatchObject({ n: 40, verdict: 'better' })
  const clustered = await compare('--cluster', 'gold')
  expect(clustered).toMatchObject({ cluster: 'gold', clusters: 10 })
  // Five clusters of 4 wins and five of 2: the jackknife's error is 1 / 12.
  const t = { t: expect.closeTo(9, 9), low: expect.closeTo(0.75 - 2.2621571628 / 12, 9) }
  expect(clustered.comparisons[0]).toMatchObject({ n: 40, clusters: 10, low: t.low, tTest: t })
  expect((await call(...asked, '--cluster', 'gold')).out).toContain(
    '40 queries in 10 clusters that share gold',
  )
  expect((await call(...asked, '--cluster', 'document')).code).toBe(2)
})
