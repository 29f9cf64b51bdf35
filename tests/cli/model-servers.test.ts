import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTable } from '../../src/tables/parquet.ts'
import { type Behaviour, fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 }

/** What a server replies to a question with a word: the message's content, and what stands beside it. */
type Replies = Readonly<
  Record<
    string,
    { content?: unknown; finish?: string; usage?: unknown; behaviour?: Behaviour; more?: object }
  >
>

const bodyOf = ({ content, finish = 'stop', usage, more = {} }: Replies[string]): Behaviour => ({
  json: {
    ...{ id: 'x', model: 'fake' },
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, ...more } }],
    ...(usage !== undefined && { usage }),
  },
})

/** A dataset with a question a reply, and a server that gives it. */
async function setUp(replies: Replies, more = '', references = true) {
  const words = Object.keys(replies)
  const server = await fakeServer((_, { body }) => {
    const word =
      JSON.stringify(body)
        .match(/K[A-Z]+K/g)
        ?.at(-1) ?? ''
    const reply = replies[word]
    return reply.behaviour ?? bodyOf(reply)
  })
  const lines = (of: (word: string, at: number) => object) =>
    words.map((word, at) => `${JSON.stringify(of(word, at))}\n`).join('')
  const folder = temporaryFolder({
    'data/corpus.jsonl': lines((word, at) => ({
      _id: `d${at}`,
      text: `Lomm lies at Orr ${word} and has a harbour`,
    })),
    'data/queries.jsonl': lines((word, at) => ({
      ...{ _id: `q${at}`, text: `Where lies Lomm ${word}` },
      ...(references && { metadata: { answers: ['Orr'] } }),
    })),
    'data/qrels/test.tsv': `query-id\tcorpus-id\tscore\n${words.map((_, at) => `q${at}\td${at}\t1\n`).join('')}`,
    'case.yaml': `name: case
dataset: data
models:
  m: {openai-compatible: {baseUrl: "${server.baseUrl}", model: fake, price: {input: 1, output: 2}, maxTokens: 50, concurrency: 1}}
prepare: {chunk: passages, embedder: lsa}
trials: [bm25]
answer: [{llm: {model: m, k: 1}}]
measures: [recall@1]
${more}`,
  })
  const { call } = callsIn(folder, {})
  const experiment = join(folder, 'experiments', 'case')
  const rows = async () => {
    const table = await readTable(join(experiment, 'answers.parquet'))
    const [answer, failure] = [table.strings('answer'), table.strings('failure')]
    const [calls, read, written] = ['model_calls', 'input_tokens', 'output_tokens'].map((name) =>
      table.numbers(name),
    )
    const [cut, estimated] = [table.numbers('cut'), table.booleans('tokens_estimated')]
    return words.map((_, at) => ({
      ...{ answer: answer[at], failure: failure[at], model_calls: calls[at], input_tokens: read[at] },
      ...{ output_tokens: written[at], cut: cut[at], tokens_estimated: estimated[at] },
      em: references ? table.numbers('answer_em')[at] : null,
    }))
  }
  const report = () => readFileSync(join(folder, 'reports', 'case.html'), 'utf8')
  const summary = () => JSON.parse(readFileSync(join(experiment, 'summary.json'), 'utf8'))
  return { ...server, folder, call, experiment, rows, report, summary }
}

const ONCE = {
  model_calls: 1,
  input_tokens: 100,
  output_tokens: 5,
  tokens_estimated: false,
  cut: 0,
  failure: '',
}

test('answers of servers are read as they mean them, and every call counts', async () => {
  const { call, rows, report } = await setUp({
    KPLAINK: { content: 'Orr', usage },
    KTHINKK: { content: '<think>\nMaybe Tarn? No.\n</think>\n\nOrr', usage },
    KCUTK: { content: 'The harbour town of Lomm lies at the stra', finish: 'length', usage },
    KNOUSEK: { content: 'Orr' },
    KNULLK: { content: null, usage },
    KPARTSK: { content: [{ type: 'text', text: 'Orr' }], usage },
    KOPENK: { content: '<think>\nMaybe Tarn? No. May', finish: 'length', usage },
    KFIELDK: { content: 'Orr', more: { reasoning_content: 'Maybe Tarn? No.' }, usage },
  })
  expect(await call('run', 'case.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  const [plain, think, cut, silent, nothing, parts, open, field] = await rows()
  for (const one of [plain, think, parts, field]) expect(one).toMatchObject({ ...ONCE, answer: 'Orr', em: 1 })
  expect(cut).toMatchObject({ ...ONCE, cut: 1, em: 0 })
  expect(silent).toMatchObject({ answer: 'Orr', em: 1, model_calls: 1, tokens_estimated: true })
  expect(silent).toMatchObject({ output_tokens: 2 })
  expect(silent.input_tokens).toBeGreaterThan(50)
  expect(nothing).toMatchObject({ ...ONCE, failure: 'the model answered nothing', em: 0 })
  expect(open).toMatchObject({
    ...ONCE,
    cut: 1,
    answer: '',
    em: 0,
    failure: expect.stringContaining('was cut in its reasoning'),
  })
  expect(report()).toContain('2 completions were cut at maxTokens.')
  expect(report()).toContain('Tokens of 1 answer are estimated')
  const stats = JSON.parse((await call('answers', 'stats', '.touchstone', '--json')).out)
  expect(stats.models[0]).toMatchObject({ answers: 8, cut: 2, estimated: 1, refusals: 0 })
  expect(stats.models[0].inputTokens).toBe((await rows()).reduce((sum, row) => sum + row.input_tokens, 0))
})

test.each([
  ['below 0', { prompt_tokens: -1_000_000, completion_tokens: -1_000_000 }],
  ['0', { prompt_tokens: 0, completion_tokens: 0 }],
  ['texts', { prompt_tokens: '100', completion_tokens: '5' }],
  ['too large', { prompt_tokens: 1e308, completion_tokens: 1e308 }],
  ['missing', undefined],
  ['not whole', { prompt_tokens: 0.001, completion_tokens: 0.001 }],
])('no count of a server defeats a budget: %s', async (_, odd) => {
  const words = ['KAK', 'KBK', 'KCK', 'KDK', 'KEK', 'KFK', 'KGK', 'KHK', 'KIK']
  const replies = Object.fromEntries(words.map((word) => [word, { content: 'Orr', usage: odd }]))
  const { call, asked } = await setUp(replies, 'budget: {tokens: 400}\n')
  const { code, err } = await call('run', 'case.yaml', '--workers', '1')
  expect(code).toBe(2)
  expect(err).toContain('the budget of 400 tokens is used up')
  expect(asked.length).toBeGreaterThan(1)
  expect(asked.length).toBeLessThan(words.length)
})

test('if no answer counts, retrieval is reported all the same, and the report says so', async () => {
  const { call, experiment, rows, report, summary } = await setUp(
    { KAK: { content: null, usage }, KBK: { content: '', usage, finish: 'content_filter' } },
    '',
    false,
  )
  expect(await call('run', 'case.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  expect(existsSync(join(experiment, 'summary.json'))).toBe(true)
  expect(await rows()).toMatchObject([
    { ...ONCE, failure: 'the model answered nothing' },
    { ...ONCE, failure: 'the model refused to answer' },
  ])
  const { answers, trials } = summary()
  expect(trials[0].measures['recall@1'].mean).toBe(1)
  expect(answers.rows[0].measures[answers.primary].n).toBe(0)
  expect(report()).toContain(`No question counts for ${answers.primary}`)
})
