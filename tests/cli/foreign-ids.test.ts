import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareRuns, scoreRun } from '../../src/index.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

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
    'none of the judged documents is in the corpus: are the document ids of judgements and corpus the same?'
  const refused = await call('check', 'data')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(said)
  expect((await call('check', 'a.yaml')).out).toContain(said)
  const { err, out } = await run('out')
  expect(err).toContain(said)
  expect(out.replace(/\s+/g, ' ')).toContain('No trial finds any gold on any query')
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
  expect(out.replace(/\s+/g, ' ')).toContain('other: none of its documents is judged relevant on any query')
  const report = readFileSync(join(folder, 'out.html'), 'utf8')
  expect(report).toContain('none of its documents is judged relevant')
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
