import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResults } from '../../../src/results/read.ts'
import { readRun } from '../../../src/runs/read.ts'
import { callsIn } from '../../cli/calls.ts'
import { temporaryFolder } from '../../temporary.ts'
import { writeTowns } from '../experiments.ts'

function setUp(trials = '[naive, bm25, {name: okapi, bm25: {idf: okapi, stemmer: none, pool: 7}}]') {
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns\nprepare: {embedder: {lsa: {dims: 8}}}\ntrials: ${trials}\nmeasures: [recall@5]\ncompare: {draws: 200, baseline: bm25}\n`,
  })
  writeTowns(join(folder, 'towns'), { towns: 30 })
  // The same texts in the first part and the last: equal scores across parts.
  const corpus = join(folder, 'towns', 'corpus.jsonl')
  const lines = readFileSync(corpus, 'utf8').trim().split('\n')
  const twins = lines.slice(0, 5).map((line) => line.replace('"d', '"z'))
  writeFileSync(corpus, `${[...lines, ...twins].join('\n')}\n`)
  const calls = callsIn(folder, {})
  const runs = (out: string) =>
    [0, 1, 2].map((list) => readFileSync(join(folder, out, 'runs', `${list}.parquet`)))
  async function cut(parts: number, out: string) {
    expect(await calls.call('scatter', 'a.yaml', '--parts', String(parts), '-o', out)).toMatchObject({
      code: 0,
    })
    for (let part = parts - 1; part >= 0; part--)
      expect(await calls.call('search-part', out, '--part', String(part))).toMatchObject({ code: 0 })
    expect(await calls.call('gather', out)).toMatchObject({ code: 0 })
  }
  return { ...calls, folder, runs, cut }
}

test('parts searched alone and merged are the whole, to the byte', async () => {
  const { folder, cut, runs, run } = setUp()
  await cut(1, 'whole')
  for (const parts of [2, 4, 35]) {
    await cut(parts, `cut-${parts}`)
    expect(runs(`cut-${parts}`)).toEqual(runs('whole'))
  }
  // And what an experiment retrieves: the first 20, with their scores.
  expect(await run('a')).toMatchObject({ code: 0 })
  const { rankings, queries, summary } = await readResults(join(folder, 'a'))
  for (const [list, { name }] of summary.trials.entries()) {
    const { value } = await readRun(join(folder, 'cut-4', 'runs', `${list}.parquet`), { lenient: false })
    expect(value.name).toBe(name)
    for (let row = 0; row < rankings.rows; row++) {
      if (rankings.trial[row] !== list) continue
      const entries = value.queries.get(queries.id[rankings.query[row]])
      const at = rankings.rank[row] - 1
      expect(entries?.ids[at]).toBe(rankings.chunk.words[rankings.chunk.codes[row]])
      expect(entries?.scores[at]).toBe(rankings.score[row])
    }
  }
})

test('a task takes its part from the scheduler, and is done where it was done', async () => {
  const { folder, call } = setUp()
  await call('scatter', 'a.yaml', '--parts', '2', '-o', 'cut')
  const task = (env: Record<string, string>) => callsIn(folder, env).call('search-part', 'cut')
  expect((await task({ SLURM_ARRAY_TASK_ID: '1' })).out).toBe('part 1 of 2 is done\n')
  expect((await task({ JOB_COMPLETION_INDEX: '1' })).out).toBe('part 1 of 2 is done already\n')
  expect((await task({ JOB_COMPLETION_INDEX: '2' })).err).toContain('a part is from 0 to 1, not 2')
  expect((await task({})).err).toContain('name the part')
  const early = await call('gather', 'cut')
  expect([early.code, early.err]).toEqual([2, expect.stringContaining('lacks what 1 of 2 parts find, as 0')])
  rmSync(join(folder, 'cut', 'scatter.json'))
  expect((await call('gather', 'cut')).err).toContain('holds no scatter.json')
})

test('what cannot be cut is told, trial by trial', async () => {
  const { call } = setUp('[bm25, hybrid, {name: boosted, naive: {}, after: [diversify]}]')
  const { code, err } = await call('scatter', 'a.yaml', '-o', 'cut')
  expect(code).toBe(2)
  expect(err).toContain('`hybrid` cannot be scattered')
  expect(err).toContain('`boosted` cannot be scattered')
  expect((await call('scatter', 'a.yaml', '--only', 'bm25', '--parts', '99', '-o', 'cut')).err).toContain(
    '--parts is at most 35',
  )
})
