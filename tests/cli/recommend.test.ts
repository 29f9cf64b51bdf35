import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSummary } from '../../src/results/read.ts'
import { fakeServer } from '../models/fake-server.ts'
import { setUp } from './set-up.ts'

const CONFIG = `dataset: towns
prepare: {embedder: lsa}
measures: [recall@1, recall@5]
trials: [naive, {bm25: {}, after: [diversify]}, {hybrid: {grid: {alpha: [0.3, 0.7]}}}]
compare: {by: recall@1, draws: 500}
`
const SMALL = 'dataset: towns\nmeasures: [recall@1]\ntrials: [random, bm25]\ncompare: {draws: 500}\n'

const run = (call: ReturnType<typeof setUp>['call'], ...more: string[]) =>
  call('run', 'a.yaml', '--workers', '1', ...more)

test('`recommend` names what is better than all else, and writes a config that runs it', async () => {
  const { folder, call } = setUp(SMALL, {}, 40)
  await run(call)
  const { code, out } = await call('recommend', 'experiments/a', '-o', 'chosen/bm25.yaml')
  expect(code).toBe(0)
  expect(out).toMatch(/^Take bm25\. It is better than the other strategy: recall@1 of 75\.0/)
  expect(out).toMatch(/The\s+difference from random is \+\d+\.\d points \[\+\d.*adjusted p [<=]/s)
  expect(out).toMatch(/Costs: \d+ tokens a query, no language model at indexing, about 0\.2 GB of memory\./)
  const chosen = readFileSync(join(folder, 'chosen/bm25.yaml'), 'utf8')
  expect(chosen).toMatch(/^# Recommended by touchstone\n/)
  expect(chosen).toContain('dataset: ../towns\n')
  expect(chosen).not.toContain(folder)
  expect(await call('run', 'chosen/bm25.yaml', '--workers', '1', '-o', 'again')).toMatchObject({ code: 0 })
  const [first, again] = ['experiments/a', 'again'].map((path) => readSummary(join(folder, path)).trials)
  expect(again.map(({ id }) => id)).toEqual([first[1].id])
  expect(again[0].measures).toEqual(first[1].measures)
  // Its own file is written again, nobody else's.
  expect(await call('recommend', 'experiments/a', '-o', 'chosen/bm25.yaml')).toMatchObject({ code: 0 })
  writeFileSync(join(folder, 'mine.yaml'), 'mine: true\n')
  expect(await call('recommend', 'experiments/a', '-o', 'mine.yaml')).toMatchObject({ code: 2 })
})

test('of strategies that the test cannot tell apart, the cheapest is taken and the runner-up is the best', async () => {
  const { folder, call } = setUp(CONFIG, {}, 40)
  expect((await run(call)).err).toBe('')
  const { code, out } = await call('recommend', 'experiments/a', '--json', '-o', 'chosen.yaml')
  expect(code).toBe(0)
  const found = JSON.parse(out)
  expect(found.reason).toBe('cheapest')
  expect(found.because).toMatch(/^The test cannot tell these \d strategies from the best: /)
  expect(found.open.length).toBeGreaterThan(1)
  expect(found.open).toContain(found.choice)
  expect(found.changes.join()).toContain("are a stand-in's")
  expect(readFileSync(join(folder, 'chosen.yaml'), 'utf8')).not.toMatch(/grid|folds/)
})

test('limits leave out what is over them, and say what they cost', async () => {
  const { call } = setUp(`${SMALL.replace('bm25]', '{bm25: {}, name: best}]')}`, {}, 40)
  await run(call)
  // Random chunks are as long as others.
  const none = await call('recommend', 'experiments/a', '--tokens', '1')
  expect(none).toMatchObject({ code: 2 })
  expect(none.err).toMatch(/random is not within tokens\n.*best is not within tokens\n/)
  expect(await call('recommend', 'experiments/a', '--memory', '0.001')).toMatchObject({ code: 2 })
  const unmeasured = await call('recommend', 'experiments/a', '--p95', '10', '--dollars', '1')
  expect(unmeasured).toMatchObject({ code: 2 })
  expect(unmeasured.err).toContain('no trial was timed: add `latency: {}`')
  expect(unmeasured.err).toContain('nothing has a price: add `prices`')
})

test('a sample, too few queries and a missing folder are told', async () => {
  const { call } = setUp(SMALL)
  await run(call, '--limit', '5')
  expect((await call('recommend', 'experiments/a.sample-5')).err).toContain('ran on a sample of 5 of 13')
  await run(call)
  const { out } = await call('recommend', 'experiments/a')
  expect(out).toMatch(/Ask more questions: with 12 no strategy is called better or worse/)
  expect(await call('recommend', 'experiments/b')).toMatchObject({ code: 2 })
})

test('language models at indexing count with their dollars, from stored completions', async () => {
  const text =
    '("entity"<|>TownA0<|>place<|>a town)\n("relationship"<|>TownA0<|>TownB1<|>a road<|>7)\n<|COMPLETE|>'
  const { baseUrl, asked } = await fakeServer(() => ({
    json: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'tiny',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    },
  }))
  const { call } = setUp(`dataset: towns
prepare: {graph: {llm-graphrag: {model: tiny, gleanings: 0}}}
models:
  tiny: {openai-compatible: {baseUrl: "${baseUrl}", model: tiny, maxTokens: 40, price: {input: 1, output: 10}}}
measures: [recall@1]
trials: [random, lightrag]
compare: {draws: 200}
`)
  expect((await run(call)).err).toMatch(/^warning: The graph has few relationships: 1 entity [^\n]*\n$/)
  const requests = asked.length
  expect(requests).toBe(12)
  const costsOf = async (...limits: string[]) =>
    JSON.parse((await call('recommend', 'experiments/a', '--json', ...limits)).out)
  const found = await costsOf()
  const local = [found, found.runnerUp].find(({ costs }) => costs.indexModels)
  expect(local.costs.indexDollars).toBeCloseTo((12 * (100 + 10 * 10)) / 1e6, 12)
  for (const limit of [['--no-index-models'], ['--index-dollars', '0.001']])
    expect(await costsOf(...limit)).toMatchObject({
      choice: 'random',
      reason: 'only',
      excluded: [{ name: 'lightrag' }],
    })
  expect(await costsOf('--index-dollars', '0.1')).toMatchObject({ excluded: [] })
  expect(asked).toHaveLength(requests)
})
