import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTable } from '../../src/tables/parquet.ts'
import { type Behaviour, fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'
import { completion } from './fake-model.ts'

const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 }

/** Replies by a question's word: the content of the message, and its other fields. */
type Replies = Readonly<
  Record<
    string,
    { content?: unknown; finish?: string; usage?: unknown; behaviour?: Behaviour; more?: object }
  >
>

const bodyOf = ({ content, finish, usage, more = {} }: Replies[string]): Behaviour =>
  completion(content, { finish, message: more, model: 'fake', usage })

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
      _id: `q${at}`,
      text: `Where lies Lomm ${word}`,
      ...(references && { metadata: { answers: ['Orr'] } }),
    })),
    'data/qrels/test.tsv': `query-id\tcorpus-id\tscore\n${words.map((_, at) => `q${at}\td${at}\t1\n`).join('')}`,
    'case.yaml': `name: case
dataset: data
models:
  m: {openai-compatible: {baseUrl: "${server.baseUrl}", model: fake, price: {input: 1, output: 2}, maxTokens: 50, concurrency: 1}}
prepare: {chunk: passages, embedder: lsa}
trials: [bm25]
answer: [{llm: {model: m, top: 1}}]
measures: [recall@1]
${more}`,
  })
  const { call } = callsIn(folder)
  const experiment = join(folder, 'experiments', 'case')
  const rows = async () => {
    const table = await readTable(join(experiment, 'answers.parquet'))
    const [answer, failure] = [table.strings('answer'), table.strings('failure')]
    const [calls, read, written] = ['model_calls', 'input_tokens', 'output_tokens'].map((name) =>
      table.numbers(name),
    )
    const [cut, estimated] = [table.numbers('cut'), table.booleans('tokens_estimated')]
    return words.map((_, at) => ({
      answer: answer[at],
      failure: failure[at],
      model_calls: calls[at],
      input_tokens: read[at],
      output_tokens: written[at],
      cut: cut[at],
      tokens_estimated: estimated[at],
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

const TOO_LONG: Behaviour = { status: 400, json: { error: 'the prompt is too long' } }

test('a request that fails is the failure of its query alone, is not sent again, and replays to the same result', async () => {
  const { call, rows, experiment, report, asked, folder } = await setUp({
    KGOODK: { content: 'Orr', usage },
    KLONGK: { behaviour: TOO_LONG },
    KEMPTYK: { behaviour: { json: { id: 'x', model: 'fake', choices: [], usage } } },
    KLASTK: { content: 'Orr', usage },
  })
  const { code, err } = await call('run', 'case.yaml', '--workers', '1')
  expect([code, err]).toEqual([0, expect.not.stringContaining('127.0.0.1')])
  const [good, long, empty, last] = await rows()
  for (const one of [good, last]) expect(one).toMatchObject({ ...ONCE, answer: 'Orr', em: 1 })
  const failed = { answer: '', em: 0, output_tokens: 0, input_tokens: 0, tokens_estimated: false }
  expect(long).toMatchObject({
    ...failed,
    failure: 'the request failed: 400 {"error":"the prompt is too long"}',
  })
  expect(empty).toMatchObject({ ...failed, failure: expect.stringContaining('"choices":[]') })
  expect(report()).toContain('the prompt is too long')
  const failures = ['clean', '.touchstone', '--failed', '--json']
  expect(JSON.parse((await call(...failures)).out).removed).toHaveLength(2)

  const sent = asked.length
  const resultOf = (out: string) => JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).result
  const run = (out: string, ...more: string[]) =>
    call('run', 'case.yaml', '--workers', '1', '-o', out, '--report', `${out}.html`, ...more)
  expect((await run('again')).code).toBe(0)
  const recording = `models.m={recorded: {path: ${join(experiment, 'answers.jsonl')}, price: {input: 1, output: 2}}}`
  expect((await run('replayed', '--store', 'other', '--set', recording)).code).toBe(0)
  expect(asked).toHaveLength(sent)
  expect(['again', 'replayed'].map((out) => resultOf(join(folder, out)))).toEqual([
    resultOf(experiment),
    resultOf(experiment),
  ])
  expect((await run('strict', '--set', 'budget.failedRequests=0', '--store', 'third')).err).toContain(
    '1 of 2 requests to language models failed',
  )
})

test('20 failed requests in a row end the run, and the same command goes on once the server is mended', async () => {
  const replies: Record<string, Replies[string]> = {}
  for (let at = 0; at < 25; at++)
    replies[`K${String.fromCharCode(65 + at)}K`] = { content: 'Orr', usage, behaviour: TOO_LONG }
  const { call, rows, asked, experiment } = await setUp(replies)
  const run = () => call('run', 'case.yaml', '--workers', '1')
  const stopped = await run()
  expect(stopped.code).toBe(2)
  expect(stopped.err).toContain('20 requests in a row to language models failed; the last: http://127.0.0.1')
  expect(stopped.err).toContain('400 {"error":"the prompt is too long"}')
  expect(existsSync(join(experiment, 'summary.json'))).toBe(false)
  expect(asked).toHaveLength(20)
  for (const word of Object.keys(replies)) replies[word] = { content: 'Orr', usage }
  expect(await run()).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(20 + 25)
  for (const one of await rows()) expect(one).toMatchObject({ ...ONCE, answer: 'Orr' })
})

describe('a text that a server refuses to embed', () => {
  /** Passages and questions with a word each, and a server that refuses texts with one of `refused`. */
  async function embedding(refused: string, { texts = 64, more = '' } = {}) {
    const server = await fakeServer((_, { body }) => {
      const input: string[] = [body.input].flat()
      if (input.length > texts || input.some((text) => refused !== '' && text.includes(refused)))
        return { status: 400, json: { error: 'input is too long' } }
      return { json: { data: input.map((text) => ({ embedding: [text.length, 1, text.charCodeAt(3)] })) } }
    })
    const lines = (of: (at: number) => object) =>
      Array.from({ length: 9 }, (_, at) => `${JSON.stringify(of(at))}\n`).join('')
    const folder = temporaryFolder({
      'data/corpus.jsonl': lines((at) => ({ _id: `d${at}`, text: `Lomm lies at Orr, passage${at}` })),
      'data/queries.jsonl': lines((at) => ({ _id: `q${at}`, text: `Where lies Lomm, question${at}` })),
      'data/qrels/test.tsv': `query-id\tcorpus-id\tscore\n${Array.from({ length: 9 }, (_, at) => `q${at}\td${at}\t1\n`).join('')}`,
      'case.yaml': `name: case
dataset: data
prepare: {chunk: passages, embedder: {openai-compatible: {baseUrl: "${server.baseUrl}", model: m}}${more}}
trials: [naive]
measures: [recall@1]
`,
    })
    return { ...server, ...callsIn(folder) }
  }

  test.each([
    ['chunk d5', 'passage5', ''],
    ['chunk d5', 'passage5', ', index: sentences'],
    ['query q7', 'question7', ''],
  ])('is named by its %s', async (owner, word, more) => {
    const { call } = await embedding(word, { more })
    for (const command of ['prepare', 'run']) {
      const { code, err } = await call(command, 'case.yaml', ...(command === 'run' ? ['--workers', '1'] : []))
      expect(code).toBe(2)
      expect(err).toContain(`${owner}: the server of the embedder refuses the text "`)
      expect(err).toMatch(new RegExp(`${word}": http.*: 400 .*input is too long`))
    }
  })

  test('is not one whose request alone was too large: it is sent in smaller ones', async () => {
    const { call, asked } = await embedding('', { texts: 4 })
    expect(await call('run', 'case.yaml', '--workers', '1')).toMatchObject({ code: 0 })
    const sizes = asked.map(({ body }) => [body.input].flat().length)
    expect(Math.max(...sizes)).toBe(9)
    expect(sizes.filter((size) => size <= 4).reduce((sum, size) => sum + size, 0)).toBe(18 + 1)
  })
})
