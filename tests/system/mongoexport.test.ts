import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Summary } from '../../src/results/summary.ts'
import { callsIn } from '../cli/calls.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Two books of a rulebook; the rule that a question of the core book needs follows the one that it names. */
const RULES = [
  ['core', 'Grabbed', 'A grabbed creature stays where it is.'],
  ['core', 'Escaping', 'To get away, roll against the strength of your foe.'],
  ['core', 'Swimming', 'Swimming in armour is slow.'],
  ['core', 'Climbing', 'Climbing a wall takes both hands.'],
  ['core', 'Falling', 'Falling ten feet hurts.'],
  ['gm', 'Monsters', 'A grabbed monster is angry.'],
]
const CHUNKS = RULES.map(([book_id, heading, text], n) => ({
  chunk_id: `c${n}`,
  ruleset_id: 'sf',
  book_id,
  run_id: 'r1',
  text,
  section_path: ['Play', heading],
}))
const QUESTIONS = [
  { query_id: 'q1', query: 'I am grabbed', expected_chunk_ids: ['c1'], book_id: 'core' },
  { query_id: 'q2', query: 'Swimming in armour', expected_chunk_ids: ['c2'], book_id: 'core' },
  { query_id: 'q3', query: 'Is the monster angry?', expected_chunk_ids: ['c5'], book_id: 'gm' },
]
const EDGES = [
  { source_id: 'c0', target_id: 'c1', relation: 'next', ruleset_id: 'sf', book_id: 'core' },
  { source_id: 'c2', target_id: 'c3', relation: 'next', ruleset_id: 'sf', book_id: 'core' },
]

test('the query files of a rulebook pipeline are run over its chunks and edges, and reported', async () => {
  const folder = temporaryFolder({
    'export/enriched_chunks.json': lines(CHUNKS),
    'export/graph_edges.json': lines(EDGES),
    'export/rules.evaluation_queries.json': JSON.stringify({ queries: QUESTIONS }),
    'a.yaml': `dataset: {mongoexport: {path: export, where: {ruleset_id: sf, book_id: [core, gm]}}}
prepare: {chunk: passages, embedder: lsa, graph: {mongoexport: {path: export}}}
trials:
  - {name: plain, bm25: {k1: 1.5, b: 0.75}}
  - name: boost
    bm25: {k1: 1.5, b: 0.75}
    after: [{graph-boost: {over: relationships, relations: [next], top: 3, hops: 1, boost: 9, onto: raw}}]
measures: [hit@1, mrr@10, contamination(field=book_id)@2]
compare: {draws: 200}
`,
  })
  const { call } = callsIn(folder)
  const run = (out: string, ...more: string[]) =>
    call('run', 'a.yaml', '--workers', '1', '-o', out, '--report', `reports/${out}.html`, ...more)
  const trialsOf = (out: string): Summary['trials'] =>
    JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8')).trials
  expect(await run('a')).toMatchObject({ code: 0 })
  const [plain, boost] = trialsOf('a')
  // `next` brings c1, which shares no word with the first question, and puts c3 above c2 for the second.
  expect(plain.measures['hit@1'].mean).toBeCloseTo(2 / 3, 12)
  expect(boost.measures['hit@1'].mean).toBeCloseTo(2 / 3, 12)
  expect(plain.measures['mrr@10'].mean).toBeCloseTo(2 / 3, 12)
  expect(boost.measures['mrr@10'].mean).toBeGreaterThan(2 / 3)
  const contaminated = 'contamination(field=book_id)@2'
  expect(plain.measures[contaminated].mean).toBeGreaterThan(0)
  expect(readFileSync(join(folder, 'reports/a.html'), 'utf8')).toContain('mrr@10')

  expect(await run('b', '--set', 'dataset.mongoexport.where={book_id: core}')).toMatchObject({ code: 0 })
  const [core] = trialsOf('b')
  expect(core.measures['mrr@10'].n).toBe(2)
  expect(core.measures[contaminated].mean).toBe(0)
})

test('two embedding models are compared over a rulebook: MRR with an interval, and the time of a query', async () => {
  const folder = temporaryFolder({
    'export/enriched_chunks.json': lines(CHUNKS),
    'export/rules.evaluation_queries.json': JSON.stringify({ queries: QUESTIONS }),
    'a.yaml': `dataset: {mongoexport: export}
prepare: {chunk: passages, embedder: {grid: {first: {lsa: {dims: 1}}, second: {lsa: {dims: 5}}}}}
trials: [naive]
measures: [mrr@10]
compare: {draws: 200, baseline: naive embedder=first}
latency: {queries: 3}
`,
  })
  const { run } = callsIn(folder)
  expect(await run('a')).toMatchObject({ code: 0, err: '' })
  const read = (file: string) => JSON.parse(readFileSync(join(folder, 'a', file), 'utf8'))
  const { trials, comparison }: Summary = read('summary.json')
  const names = ['naive embedder=first', 'naive embedder=second']
  expect(trials.map(({ name }) => name)).toEqual(names)
  const [first, second] = trials.map(({ measures }) => measures['mrr@10'].mean)
  // One dimension tells rules apart less well than five.
  expect(second).toBeGreaterThan(first)
  const [row] = comparison?.rows ?? []
  expect(row).toMatchObject({ name: names[1], n: 3 })
  expect(row.difference).toBeCloseTo(second - first, 12)
  expect(row.untested).toContain('3 queries')
  expect(trials[1].measures['mrr@10'].low).toBeLessThan(second)
  const { trials: timed } = read('timings/latency.json')
  expect(timed.map(({ name }: { name: string }) => name)).toEqual(names)
  for (const { p50 } of timed) expect(p50.value).toBeGreaterThan(0)
})
