import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { realClock } from '../../src/models/http/limiter.ts'
import { type Behaviour, fakeServer } from '../models/fake-server.ts'
import { callsInTowns } from './calls.ts'
import { completion } from './fake-model.ts'

beforeEach(() => {
  const wait = vi.spyOn(realClock, 'wait').mockResolvedValue(undefined)
  return () => wait.mockRestore()
})

/** A config with a model whose server behaves as `behave` says, and a local KoboldCpp model as its fallback. */
async function setUp(behave: () => Behaviour, params = ', fallbackOnOutage: true') {
  const first = await fakeServer(behave)
  const kobold = await fakeServer((_, { url, body }) => {
    expect(url).toMatch(/\/generate/)
    const results = [{ text: `Perhaps: ${body.prompt.slice(-40)}`, finish_reason: 'stop' }]
    return url.includes('stream')
      ? (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end(`data: {"token": "Perhaps so.", "finish_reason": "stop"}\n\n`)
        }
      : { json: { results } }
  })
  const calls = callsInTowns(`dataset: towns
models:
  large: {openai-compatible: {baseUrl: "${first.baseUrl}", model: large, price: {input: 1, output: 1}, fallback: local${params}}}
  local: {koboldcpp: {baseUrl: "${kobold.baseUrl}", model: tiny-q4, price: {input: 0, output: 0}}}
trials: [bm25, {bm25: {}, before: [{query2doc: {model: large}}], name: rewritten}]
compare: {draws: 200}
`)
  return { first, kobold, ...calls }
}

const down = (): Behaviour => ({ status: 503, json: 'overloaded' })

test('a fallback serves after 503 in all attempts, and the outage is recorded and replayed', async () => {
  const { first, kobold, folder, run, resultOf, summaryOf } = await setUp(down)
  expect(await run('a')).toMatchObject({ code: 0 })
  expect([first.asked.length, kobold.asked.length]).toEqual([5 * 13, 13])
  const stored = readFileSync(join(folder, 'a', 'answers.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const outages = stored.map((line) => JSON.parse(line)).filter(({ request }) => request.outage)
  expect(outages).toHaveLength(13)
  for (const { completion } of outages)
    expect(completion).toMatchObject({ finish: 'failed', failure: expect.stringContaining('in 5 attempts') })
  const { trials } = summaryOf('a')
  expect(JSON.stringify(trials[1])).toContain('the model large gave no answer')
  expect(await run('b')).toMatchObject({ code: 0 })
  expect(
    await run(
      'c',
      '--set',
      'models.large={recorded: {path: a/answers.jsonl, of: {model: large}, price: {input: 1, output: 1}, fallback: local, fallbackOnOutage: true}}',
      '--set',
      'models.local={recorded: {path: a/answers.jsonl, of: {model: tiny-q4}, price: {input: 0, output: 0}}}',
      '--store',
      'other',
    ),
  ).toMatchObject({ code: 0 })
  expect([resultOf('b'), resultOf('c')]).toEqual([resultOf('a'), resultOf('a')])
  expect([first.asked.length, kobold.asked.length]).toEqual([5 * 13, 13])
})

test('without `fallbackOnOutage` an outage stops the run, and a recorded outage is no completion', async () => {
  let isUp = false
  const { first, kobold, run } = await setUp(() =>
    isUp ? completion('It may be so.', { model: 'large' }) : down(),
  )
  const off = ['--set', 'models.large.openai-compatible.fallbackOnOutage=false']
  const { code, err } = await run('a', ...off)
  expect([code, err]).toEqual([2, expect.stringContaining('no answer in 5 attempts; the last: 503')])
  expect(kobold.asked).toEqual([])
  expect(await run('b')).toMatchObject({ code: 0 })
  expect(kobold.asked).toHaveLength(13)
  isUp = true
  const before = first.asked.length
  expect(await run('c', ...off)).toMatchObject({ code: 0 })
  expect(first.asked).toHaveLength(before + 13)
})
