import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDataset } from '../../src/dataset/load.ts'
import { sampleQueries } from '../../src/dataset/sample.ts'
import { readSummary } from '../../src/results/read.ts'
import { setUp } from './set-up.ts'

const CONFIG = 'dataset: towns\nmeasures: [recall@5, recall@1]\ntrials: [bm25, random]\n'

test('`run --limit` runs a marked sample in a folder of its own, beside the whole', async () => {
  const { folder, call } = setUp(CONFIG)
  const run = (...argv: string[]) => call('run', 'a.yaml', '--workers', '1', ...argv)
  const sample = await run('--limit', '4')
  expect(sample).toMatchObject({ code: 0 })
  expect(sample.out).toMatch(/^SAMPLE of 4 of 13 queries: bm25 leads/)
  expect(sample.out).toMatch(/Run the config without `--limit` for a\s+result\./)
  // `recommend` refuses a sample.
  expect(sample.out).not.toContain('touchstone recommend')
  const small = 'experiments/a.sample-4'
  expect(readSummary(join(folder, small)).dataset).toMatchObject({
    queries: 4,
    sample: { queries: 4, of: 13, seed: 0 },
  })
  expect(existsSync(join(folder, 'experiments/a'))).toBe(false)
  // The first screen of the report, above all else.
  const page = readFileSync(join(folder, 'reports/a.sample-4.html'), 'utf8')
  const [screen] = /<section id="verdict"[\s\S]*?<\/section>/.exec(page) ?? ['']
  expect(screen).toContain('SAMPLE of 4 of 13 queries: ')
  expect(screen).toMatch(/<ul class="findings brief"><li><details><summary><b class="warning">Sample\.<\/b>/)

  expect((await run()).out).not.toContain('SAMPLE')
  const [whole, part] = ['experiments/a', small].map((path) => readSummary(join(folder, path)))
  expect(whole.dataset.sample).toBeUndefined()
  expect(whole.dataset.queries).toBe(13)
  expect(part.experiment).toBe('a.sample-4')
  // Every form of the leaderboard; the config that it wrote gives the same sample.
  for (const form of ['--markdown', '--latex', '--json'])
    expect((await call('leaderboard', small, form)).out).toMatch(/SAMPLE of 4 of 13|"sample": ?\{/)
  const again = await call(
    'run',
    join(small, 'experiment.yaml'),
    '--workers',
    '1',
    '--limit',
    '4',
    '-o',
    small,
  )
  expect(again.out).toMatch(/^the result is complete and unchanged/)
})

test('`gate` and `verify` refuse a sample', async () => {
  const { call } = setUp(CONFIG)
  await call('run', 'a.yaml', '--workers', '1')
  await call('run', 'a.yaml', '--workers', '1', '--limit', '4')
  const refused = { code: 2, err: expect.stringContaining('ran on a sample of 4 of 13 queries') }
  const small = 'experiments/a.sample-4'
  expect(await call('gate', small, '--baseline', 'experiments/a')).toMatchObject(refused)
  expect(await call('gate', 'experiments/a', '--baseline', small)).toMatchObject(refused)
  expect(await call('verify', small, '--write', 'expected.json')).toMatchObject(refused)
})

test('a sample of several datasets is marked in their common table', async () => {
  const { call } = setUp(CONFIG.replace('towns', '[towns, more]'))
  const { code, out } = await call('run', 'a.yaml', '--workers', '1', '--limit', '5')
  expect(code).toBe(0)
  expect(out).toMatch(/^SAMPLE of 5 of 13 and 5 of 19 queries: /)
})

test('a sample has its share of each category, and the gold of its queries alone', async () => {
  const { folder } = setUp(CONFIG, {}, 40)
  const whole = await loadDataset({ name: 'beir', params: { path: join(folder, 'towns') } }, '/')
  const counts = (seed: number) => {
    const { queries, qrels } = sampleQueries(whole, { queries: 20, seed })
    expect([...qrels.keys()].sort()).toEqual(
      queries
        .filter(({ answerable }) => answerable)
        .map(({ id }) => id)
        .sort(),
    )
    const of = (name: string) => queries.filter(({ category }) => category === name).length
    return { ids: queries.map(({ id }) => id).join(), fact: of('fact'), bridge: of('bridge') }
  }
  const [first, second] = [counts(0), counts(1)]
  expect(Math.abs(first.fact - first.bridge)).toBeLessThan(2)
  expect(second.ids).not.toBe(first.ids)
  expect(counts(0)).toEqual(first)
  const start = sampleQueries(whole, { queries: 3, seed: 0 })
  expect(start.hash).not.toBe(whole.hash)
  expect(start.documentsHash).toBe(whole.documentsHash)
  // A sample of all queries is still a sample.
  expect(sampleQueries(whole, { queries: 99, seed: 0 }).sample).toMatchObject({ queries: 41, of: 41 })
})
