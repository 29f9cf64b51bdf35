import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const TOWNS = 24

/** A summary names the towns of its cluster. */
function summaryOf(content: string): string {
  const towns = new Set(content.match(/Town\w+/g) ?? [])
  return `A country of ${[...towns].sort().join(', ')}.`
}

async function setUp(answerTo: (content: string, n: number) => string = summaryOf) {
  const { asked, baseUrl } = await fakeServer((n, { body }) => ({
    json: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'tiny',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: answerTo(body.messages[0].content, n) },
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    },
  }))
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {tree: {llm: {model: tiny, size: 4}}}
models:
  tiny: {openai-compatible: {baseUrl: "${baseUrl}", model: tiny, maxTokens: 40, concurrency: 2, price: {input: 1, output: 10}}}
trials: [naive, {raptor: {grid: {search: [collapsed, traversal]}}}]
measures: [recall@5]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: TOWNS })
  return { ...callsIn(folder, {}), asked }
}

test('a model summarises clusters layer by layer, each once; a plan says that they wait for vectors', async () => {
  const { call, run, asked, folder, resultOf } = await setUp()
  const planned = async () => JSON.parse((await call('plan', 'a.yaml', '--json')).out)
  const { toAsk, toEmbed } = await planned()
  expect(toAsk.later[0]).toEqual({ step: 'tree: llm, layer 1', queries: null })
  expect(toEmbed).toEqual({ chunks: TOWNS, queries: TOWNS + 1 })
  expect(asked).toHaveLength(0)

  expect(await run('first')).toMatchObject({ code: 0 })
  const { indexes, trials } = JSON.parse(readFileSync(join(folder, 'first', 'summary.json'), 'utf8'))
  const { treeSummaries, treeLayers } = indexes[0].counts
  expect(treeLayers).toBeGreaterThan(1)
  expect(asked).toHaveLength(treeSummaries)
  const [first] = asked
  expect(first.body.messages[0].content).toMatch(/<passage>\nTown\w+\nTown\w+ lives by/)
  expect(asked.at(-1)?.body.messages[0].content).toMatch(/<passage>\nA country of Town/)
  expect(trials.map(({ name, failed }: { name: string; failed: number }) => [name, failed])).toEqual([
    ['naive', 0],
    ['raptor search=collapsed', 0],
    ['raptor search=traversal', 0],
  ])

  expect((await planned()).toAsk.calls).toMatchObject([
    { role: 'corpus', calls: 0, stored: { completions: treeSummaries } },
  ])
  const replay = ['--set', 'recording=first/answers.jsonl', '--store', 'other']
  expect((await run('replayed', ...replay)).code).toBe(0)
  expect(asked).toHaveLength(treeSummaries)
  expect(resultOf('replayed')).toBe(resultOf('first'))
})

test('clusters without a summary are named, and the tree does without them', async () => {
  const { run, folder } = await setUp((content, n) => (n === 1 ? '' : summaryOf(content)))
  const { err, code } = await run('a')
  expect(code).toBe(0)
  expect(err).toMatch(
    /warning: tree: llm, layer 1: 1 of \d+ clusters have no summary: no completion for them could be read/,
  )
  const { trials } = JSON.parse(readFileSync(join(folder, 'a', 'summary.json'), 'utf8'))
  for (const { failed } of trials) expect(failed).toBe(0)
})

test('without a tree a trial says which line is missing; a prompt that lacks the passages is told', async () => {
  const { call, folder } = await setUp()
  const lacking = await call('check', 'a.yaml', '--set', 'prepare={}')
  expect([lacking.code, lacking.err]).toEqual([2, expect.stringContaining('    tree: extractive\n')])
  writeFileSync(join(folder, 'mine.md'), 'Summarise, please.\n')
  const set = '--set=prepare.tree={llm: {model: tiny, prompt: mine.md}}'
  expect((await call('check', 'a.yaml', set)).err).toContain('mine.md: this prompt lacks `{{passages}}`')
})
