import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'
import { fakeModel, modelAt, replayOf } from './fake-model.ts'

/** An experiment over towns whose corpus a model prepares by what `say` says. */
async function setUp(
  prepare: string,
  trials: string,
  towns: number,
  say: (prompt: string, n: number) => string,
) {
  const { asked, baseUrl } = await fakeModel(say)
  const params = 'model: tiny, maxTokens: 40, concurrency: 2, price: {input: 1, output: 10}'
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: ${prepare}
models: {tiny: ${modelAt(baseUrl, params)}}
trials: ${trials}
measures: [recall@1]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns })
  const calls = callsIn(folder)
  const planned = async () => JSON.parse((await calls.call('plan', 'a.yaml', '--json')).out)
  const summary = (out: string) => JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8'))
  /** Runs, plans and replays: each question is asked once, and the result is the same. */
  const runOnce = async () => {
    expect(asked).toHaveLength(0)
    expect(await calls.run('first')).toMatchObject({ code: 0 })
    const paid = asked.length
    expect((await planned()).toAsk.calls).toMatchObject([{ calls: 0, stored: { completions: paid } }])
    expect((await calls.run('replayed', ...replayOf('first'))).code).toBe(0)
    expect(asked).toHaveLength(paid)
    expect(calls.resultOf('replayed')).toBe(calls.resultOf('first'))
    return paid
  }
  return { ...calls, folder, asked, planned, summary, runOnce }
}

test('headers are searched with their chunks by words and by vectors, and only there', async () => {
  // A header names what the question asks by and the passage does not say.
  const { folder, planned, runOnce, summary } = await setUp(
    '{context: {grid: [title, {llm: {model: tiny}}]}}',
    '[bm25, naive]',
    12,
    (prompt) => {
      const [, town] = /<passage>\n(Town\w+) lives/.exec(prompt) ?? []
      return `Of ${town}, famous for zanzibar${town}.`
    },
  )
  writeFileSync(join(folder, 'towns', 'queries.jsonl'), '{"_id": "q0", "text": "zanzibarTownD3"}\n')
  writeFileSync(join(folder, 'towns', 'qrels', 'test.tsv'), 'query-id\tcorpus-id\tscore\nq0\td3\t1\n')
  expect((await planned()).toAsk.calls).toMatchObject([{ calls: 12 }])
  expect(await runOnce()).toBe(12)
  const { trials, indexes } = summary('first')
  expect(trials).toMatchObject([
    { name: 'bm25 context=title', measures: { 'recall@1': { mean: 0 } } },
    { name: 'bm25 context=llm(model=tiny)', measures: { 'recall@1': { mean: 1 } } },
    { name: 'naive context=title', measures: { 'recall@1': { mean: 0 } } },
    { name: 'naive context=llm(model=tiny)', measures: { 'recall@1': { mean: 1 } } },
  ])
  // Chunks are counted, judged and sent without their headers.
  expect(indexes).toMatchObject([
    { counts: { chunks: 12, tokens: indexes[1].counts.tokens } },
    { counts: { chunks: 12, chunkHeaders: 12 } },
  ])
  expect(readFileSync(join(folder, 'first.html'), 'utf8')).not.toContain('famous for')
})

const TREE = '{tree: {llm: {model: tiny, size: 4}}}'
const RAPTOR = '[naive, {raptor: {grid: {search: [collapsed, traversal]}}}]'
/** A summary names the towns of its cluster. */
const summaryOf = (prompt: string) =>
  `A country of ${[...new Set(prompt.match(/Town\w+/g))].sort().join(', ')}.`

test('a model summarises clusters layer by layer, each once; a plan says that they wait for vectors', async () => {
  const { asked, planned, runOnce, summary } = await setUp(TREE, RAPTOR, 24, summaryOf)
  const { toAsk, toEmbed } = await planned()
  expect(toAsk.later[0]).toEqual({ step: 'tree: llm, layer 1', queries: null })
  expect(toEmbed).toEqual({ chunks: 24, queries: 25 })
  const paid = await runOnce()
  const { indexes, trials } = summary('first')
  expect(indexes[0].counts.treeLayers).toBeGreaterThan(1)
  expect(indexes[0].counts.treeSummaries).toBe(paid)
  expect(asked[0].body.messages[0].content).toMatch(/<passage>\nTown\w+\nTown\w+ lives by/)
  expect(asked.at(-1)?.body.messages[0].content).toMatch(/<passage>\nA country of Town/)
  expect(trials.map(({ failed }: { failed: number }) => failed)).toEqual([0, 0, 0])
})

test('clusters without a summary are told, and the tree does without them', async () => {
  const { run, summary } = await setUp(TREE, RAPTOR, 24, (prompt, n) => (n === 1 ? '' : summaryOf(prompt)))
  const { err, code } = await run('a')
  expect([code, err]).toEqual([0, expect.stringMatching(/1 of \d+ clusters have no summary/)])
  for (const { failed } of summary('a').trials) expect(failed).toBe(0)
})
