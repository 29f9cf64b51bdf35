import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { configSchema, readPrices } from '../../src/config/schema.ts'
import { temporaryFolder } from '../temporary.ts'

const check = (more: object) => configSchema.safeParse({ dataset: 'd', trials: ['bm25'], ...more })
const price = (more: object) => ({ model: 'm', input: 0, output: 1e6, ...more })
const SEEDS = [
  [0, 2 ** 32 - 1],
  [-1, 2 ** 32, 0.5],
] as const

test.each<[string, (value: never) => object, readonly unknown[], readonly unknown[]]>([
  [
    'name',
    (name) => ({ name }),
    ['a', '7', 'A.b_c-d', 'n'.repeat(100)],
    ['', '.a', '-a', 'a b', 'a/b', 'n'.repeat(101)],
  ],
  ['trials', (trials) => ({ trials }), [['a'], [1, 2]], [[], 'a']],
  ['recording', (recording) => ({ recording }), ['f'], ['']],
  ['split.dev', (dev) => ({ split: { dev } }), [0.01, 0.99], [0, 1]],
  ['split.seed', (seed) => ({ split: { seed } }), ...SEEDS],
  ['compare.level', (level) => ({ compare: { level } }), [0.001, 0.999], [0, 1]],
  ['compare.margin', (margin) => ({ compare: { margin } }), [0.001, 0.999], [0, 1]],
  ['compare.cluster', (cluster) => ({ compare: { cluster } }), ['x'], ['']],
  ['compare.draws', (draws) => ({ compare: { draws } }), [100, 1_000_000], [99, 1_000_001, 100.5]],
  ['compare.seed', (seed) => ({ compare: { seed } }), ...SEEDS],
  ['latency.queries', (queries) => ({ latency: { queries } }), [1, 100_000], [0, 100_001, 1.5]],
  ['latency.repeats', (repeats) => ({ latency: { repeats } }), [1, 1000], [0, 1001, 1.5]],
  ['latency', (latency) => ({ latency }), [false, {}], [true, null]],
  ['budget', (budget) => ({ budget }), [{ dollars: 1 }, { tokens: 1 }, { minutes: 1 }], [{}, { other: 1 }]],
  ['budget.dollars', (dollars) => ({ budget: { dollars } }), [0.01, 1e9], [0, 1e9 + 1]],
  ['budget.tokens', (tokens) => ({ budget: { tokens } }), [1, 1e15], [0, 1e15 + 1, 1.5]],
  ['budget.minutes', (minutes) => ({ budget: { minutes } }), [0.01, 1e6], [0, 1e6 + 1]],
  ['budget.failedRequests', (failedRequests) => ({ budget: { failedRequests } }), [0, 1], [-0.01, 1.01]],
  ['depth', (depth) => ({ depth }), [1, 10_000], [0, 10_001, 1.5]],
  ['context.top', (top) => ({ context: { top } }), [1, 10_000], [0, 10_001, 1.5]],
  ['measures', (measures) => ({ measures }), [['a']], [[], 'a']],
  ['folds', (folds) => ({ folds }), [2, 100], [1, 101, 2.5]],
  ['prices', (prices) => ({ prices }), ['gpt-5-mini', price({})], ['none', {}]],
  ['prices.model', (model) => ({ prices: price({ model }) }), ['x'], ['', undefined]],
  ['prices.input', (input) => ({ prices: price({ input }) }), [0, 1e6], [-1, 1e6 + 1, undefined]],
  ['prices.output', (output) => ({ prices: price({ output }) }), [0, 1e6], [-1, 1e6 + 1, undefined]],
  [
    'prices.date',
    (date) => ({ prices: price({ date }) }),
    ['2026-11-22'],
    ['2026-11-2', '22.11.2026', '2026-11-22T00'],
  ],
  ['seed', (seed) => ({ seed }), ...SEEDS],
  ['other', (other) => ({ other }), [], [1]],
])('%s has bounds', (_, config, within, without) => {
  for (const value of within) expect([value, check(config(value as never)).success]).toEqual([value, true])
  for (const value of without) expect([value, check(config(value as never)).success]).toEqual([value, false])
})

test('defaults', () => {
  const { dataset, trials, ...rest } = configSchema.parse({ dataset: 'd', trials: ['bm25'] })
  expect([dataset, trials]).toEqual(['d', ['bm25']])
  expect(rest).toEqual({
    prepare: {},
    runs: [],
    depth: 100,
    context: {},
    measures: ['recall@1', 'recall@5', 'recall@10', 'full_recall@5', 'mrr@10', 'ndcg@10'],
    compare: { level: 0.05, correction: 'max-t', family: 'best-per-strategy', draws: 10_000 },
    latency: false,
    seed: 0,
  })
  const all = configSchema.parse({ dataset: 'd', trials: ['bm25'], split: {}, latency: {} })
  expect([all.split, all.latency]).toEqual([{ dev: 0.5 }, { queries: 50, repeats: 3 }])
})

test('a price is the one of the table, or the one that is written', () => {
  expect(readPrices(undefined)).toBeNull()
  expect(readPrices('none' as never)).toBeNull()
  expect(readPrices('gpt-5-mini')).toEqual({
    model: 'gpt-5-mini',
    input: 0.25,
    output: 2,
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    source: expect.stringContaining('gpt-5-mini'),
  })
  expect(readPrices({ model: 'm', input: 1, output: 2 })).toEqual({
    model: 'm',
    input: 1,
    output: 2,
    date: null,
    source: 'the config',
  })
  expect(readPrices({ model: 'm', input: 1, output: 2, date: '2026-01-02' })?.date).toBe('2026-01-02')
})

test('names of rerankers and models do not mean two things', async () => {
  const folder = temporaryFolder({ 'data/corpus.jsonl': '' })
  const said = (config: string) =>
    loadConfig('a.yaml', { text: `dataset: data\ntrials: [bm25]\n${config}`, set: [], env: {}, folder }).then(
      () => ['no error'],
      (error: Error) => error.message.replaceAll(`${join(folder)}/`, '').split('\n'),
    )
  const reranker = '{transformers: {model: none}}'
  expect(await said(`rerankers: {transformers: ${reranker}}`)).toContainEqual(
    expect.stringContaining('`transformers` is a kind of reranker; take another name'),
  )
  expect(await said(`models: {near: {openai: {model: m}}}\nrerankers: {near: ${reranker}}`)).toContainEqual(
    expect.stringContaining('a model is called `near` already; take another name'),
  )
})
