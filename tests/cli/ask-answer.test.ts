import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REFUSAL } from '../../src/answer/citations.ts'
import type { AnswerEvent } from '../../src/experiment/answer-one.ts'
import { createRetriever } from '../../src/library/create-retriever.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { fakeServer, stream } from '../models/fake-server.ts'
import { callsInTowns } from './calls.ts'

const event = (content: string, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'tiny',
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
})
const USAGE = {
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'tiny',
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
}

/** A server that streams pieces of an answer; the first `cuts` streams break off after the first piece. */
async function setUp(pieces: readonly string[], cuts = 0, end = 'stop') {
  const server = await fakeServer((n, { body }) => {
    expect(body.stream).toBe(true)
    const events = pieces.map((piece, index) => event(piece, index === pieces.length - 1 ? end : null))
    return n <= cuts ? stream(events.slice(0, 1), true) : stream([...events, USAGE, '[DONE]'])
  })
  const calls = callsInTowns(`dataset: towns
models:
  tiny: {openai-compatible: {baseUrl: "${server.baseUrl}", model: tiny, price: {input: 1, output: 10}}}
trials: [bm25]
answer: [extractive, {llm: {model: tiny, grid: {top: [1, 2]}}}]
`)
  return { ...server, ...calls }
}

const ASK = ['ask', 'a.yaml', 'Where is TownA0?', '--answer']

test('an answer is shown as it is written, with what it cites, once for its price', async () => {
  const { asked, call } = await setUp(['Salt', ' from\u001b[31m the', ' sea [1] [7].'])
  const first = await call(...ASK, 'llm(model=tiny) top=2')
  expect(first).toMatchObject({ code: 0 })
  expect(first.out).toContain('Salt from\\u001b[31m the sea [1] [7].\n\nllm(model=tiny) top=2\n  [1] ')
  expect(first.out).toContain('  [7] is no passage that was sent')
  expect(first.out).toMatch(
    /sent: 2 passages, \d+ tokens\n {2}tiny: 100 tokens read, 10 written; \d+ ms, \$0\.0002/,
  )
  const again = await call(...ASK, 'llm(model=tiny) top=2')
  expect(again.out).toContain('the sea [1] [7].')
  expect(again.out).toContain('stored completion, nothing was asked')
  expect(asked).toHaveLength(1)
  // A run finds it too: what was streamed is what was kept.
  const { answer } = JSON.parse((await call(...ASK, 'llm(model=tiny) top=2', '--json')).out)
  expect(answer).toMatchObject({
    text: 'Salt from\u001b[31m the sea [1] [7].',
    cited: [1],
    wrong: [7],
    refused: false,
    kept: true,
    models: ['tiny'],
    inputTokens: 100,
    outputTokens: 10,
    dollars: 0,
  })
  expect(answer.passages[0].chunks).toHaveLength(1)
  expect(answer.milliseconds).toBeGreaterThan(0)
})

test('a refusal is shown with the question that it suggests', async () => {
  const { call } = await setUp([REFUSAL, ' You might want to ask: "Where is TownB1?"'])
  const { code, out } = await call(...ASK, 'llm(model=tiny) top=2')
  expect(code).toBe(0)
  expect(out).toContain('\n\nllm(model=tiny) top=2: a refusal\n  suggested: Where is TownB1?\n')
  const json = JSON.parse((await call(...ASK, 'llm(model=tiny) top=2', '--json')).out)
  expect(json.answer).toMatchObject({ refused: true, suggestion: 'Where is TownB1?' })
})

test('a stream that breaks off begins anew, and says so', async () => {
  const { asked, folder } = await setUp(['Salt', ' and honey.'], 1)
  const events: AnswerEvent[] = []
  const retriever = await createRetriever(join(folder, 'a.yaml'))
  const answer = await retriever.answer('Where is TownA0?', {
    answerer: 'llm(model=tiny) top=1',
    onEvent: (event) => events.push(event),
  })
  await retriever.close()
  expect(answer.text).toBe('Salt and honey.')
  expect(events).toEqual([
    { event: 'search' },
    { event: 'context', passages: 1, tokens: answer.sent },
    { event: 'text', text: 'Salt' },
    { event: 'text', text: 'Salt', anew: 'broken' },
    { event: 'text', text: 'Salt and honey.' },
    { event: 'complete', answer },
  ])
  expect(asked).toHaveLength(2)
  const again = await setUp(['Salt', ' and honey.'], 1)
  const { out } = await again.call(...ASK, 'llm(model=tiny) top=1')
  expect(out).toContain('\n\nSalt\n(the stream broke off and begins anew)\nSalt and honey.\n\nllm(')
})

test('a question has 1 to 10000 characters', async () => {
  const { call } = await setUp(['x'])
  for (const question of [' ', 'x'.repeat(10_001)]) {
    const { code, err } = await call('ask', 'a.yaml', question)
    expect([code, err]).toEqual([2, expect.stringMatching(/^the question (is empty|has 10001 characters)/)])
  }
})

test.each([
  'graph-boost: {over: titles, boost: 0.5}',
  'graph-embedding: {weight: 0.5}',
  'domain-codes: {patterns: [Town.0]}',
])(
  'each source has its score before %s, on the scale of the step, and the amount added',
  async (transform) => {
    const { call } = callsInTowns(`dataset: towns
prepare: {embedder: lsa, graph: [titles]}
trials: [{bm25: {}, after: [{${transform}}]}]
`)
    const argv = ['ask', 'a.yaml', 'Where is TownA0, on the road to TownF5?', '--depth', '12']
    const { sources } = JSON.parse((await call(...argv, '--json')).out)
    type Ranked = { step: string; score: number; base: number; added: number }
    const steps: [Ranked | undefined, Ranked][] = sources.map(({ ranked }: { ranked: Ranked[] }) => [
      ranked.find(({ step }) => step === 'bm25'),
      ranked.at(-1),
    ])
    const scores = steps.flatMap(([bm25]) => (bm25 ? [bm25.score] : []))
    const scaled = !transform.startsWith('domain-codes')
    const [low, high] = scaled ? [Math.min(...scores), Math.max(...scores)] : [0, 1]
    for (const [bm25, { score, base, added }] of steps) {
      expect(base).toBeCloseTo(bm25 ? (bm25.score - low) / (high - low) : 0, 12)
      expect(base + added).toBeCloseTo(score, 12)
      if (!transform.startsWith('graph-boost')) continue
      // A half at one hop and two tenths at two, of at most three starts each.
      const sums = [0, 1, 2, 3].flatMap((near) => [0, 1, 2, 3].map((far) => 0.5 * near + 0.2 * far))
      expect(Math.min(...sums.map((sum) => Math.abs(sum - added)))).toBeLessThan(1e-9)
    }
    expect(steps.some(([, { added }]) => added > 0)).toBe(true)
    const [, { score, base, added }] = steps[0]
    expect((await call(...argv, '--scores')).out).toContain(
      `  ${score.toPrecision(4)} (${base.toPrecision(4)} and ${added.toPrecision(4)} added)\n`,
    )
  },
)

test('a run keeps the hop of each chunk, and verdicts and hops of each query', async () => {
  const hops = '{name: hops, multi-hop: {of: bm25, hopChunks: 1, maxHops: 2}}'
  const { call, run, folder } = callsInTowns(
    `dataset: towns\nprepare: {graph: [titles]}\ntrials: [${hops}, bm25]\nmeasures: [recall@5]\ncompare: {draws: 200}\n`,
  )
  expect(await run('out')).toMatchObject({ code: 0 })
  const table = (name: string) => readTable(join(folder, 'out', name))
  const queries = (await table('queries.parquet')).strings('text')
  const [rankings, diagnostics] = [await table('rankings.parquet'), await table('diagnostics.parquet')]
  const rowsOf = ({ rows, numbers }: typeof rankings, query: number) => {
    const [trials, numbered] = [numbers('trial'), numbers('query')]
    return [...Array(rows).keys()].filter((row) => trials[row] === 0 && numbered[row] === query)
  }
  const [names, values] = [diagnostics.strings('name'), diagnostics.numbers('value')]
  const [texts, marks] = [diagnostics.strings('text'), rankings.strings('mark')]
  let hopped = 0
  for (const [query, text] of queries.entries()) {
    const said = rowsOf(diagnostics, query)
    const answer = JSON.parse((await call('ask', 'a.yaml', text, '-t', 'hops', '--json')).out)
    const notes = said.filter((row) => Number.isNaN(values[row])).map((row) => [names[row], texts[row]])
    expect(Object.fromEntries(notes)).toEqual(answer.notes)
    for (const part of ['can_answer', 'reasoning', 'missing_query'])
      expect(Object.keys(answer.notes)).toContain(`hop 1 ${part}`)
    const hopsUsed = said.filter((row) => names[row] === 'hops').map((row) => values[row])
    expect(hopsUsed[0] ?? 0).toBe(answer.counters.hops ?? 0)
    hopped += hopsUsed[0] ?? 0
    const rows = rowsOf(rankings, query).slice(0, 5)
    expect(rows.map((row) => marks[row])).toEqual(
      answer.sources.map(({ mark }: { mark: string | null }) => mark ?? ''),
    )
  }
  expect(hopped).toBeGreaterThan(0)
  expect(new Set(marks)).toEqual(new Set(['', 'hop 0', 'hop 1, heading 0.99', 'hop 2, heading 0.99']))
})
