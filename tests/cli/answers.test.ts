import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AnswersSummary } from '../../src/results/summary.ts'
import { fakeServer } from '../models/fake-server.ts'
import { callsIn, callsInTowns } from './calls.ts'
import { completion, fakeModel, modelAt, replayOf } from './fake-model.ts'

const UNKNOWN = 'I do not know. You might want to ask: Who else?'

/** A server that answers from the prompt's first passage, and refuses without one. */
async function setUp(answer: string, more = '') {
  const server = await fakeModel((prompt) => {
    const text = /<passage number="1">\n(.*)\n/.exec(prompt)?.[1]
    return text ? `${text} [1]` : UNKNOWN
  })
  const calls = callsInTowns(`dataset: towns
models:
  tiny: ${modelAt(server.baseUrl, 'model: tiny, price: {input: 1, output: 10}')}
trials: [bm25, naive]
measures: [recall@5]
answer: ${answer}
compare: {draws: 200}
${more}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const answers = (out: string): AnswersSummary => calls.summaryOf(out).answers as AnswersSummary
  return { ...server, ...calls, answers }
}

const MODELS = '[extractive, {llm: {model: tiny, grid: {top: [1, 3]}}}, {closed-book: {model: tiny}}]'

test('every answerer answers from what every finalist sends, the closed book once; nothing is asked twice', async () => {
  const { asked, run, answers, folder, resultOf, rowsOf } = await setUp(MODELS)
  expect(await run('a')).toMatchObject({ code: 0 })
  const { rows, primary, comparisons, answerers } = answers('a')
  expect(rows.map(({ trial, answerer }) => [trial?.name ?? null, answerer])).toEqual([
    [null, 'closed-book(model=tiny)'],
    ...['bm25', 'naive'].flatMap((trial) =>
      ['extractive', 'llm(model=tiny) top=1', 'llm(model=tiny) top=3'].map((answerer) => [trial, answerer]),
    ),
  ])
  expect(primary).toBe('answer_f1')
  const [closed, , small, large] = rows
  expect(closed.measures.refused_answerable.mean).toBe(1)
  expect(small.measures.answer_grounded.mean).toBe(1)
  expect(small.perQuery).toMatchObject({ modelCalls: 1, inputTokens: 100, outputTokens: 10 })
  expect(small.perQuery.sent).toBeLessThan(large.perQuery.sent)
  expect(small.measures.citation_precision.n).toBeGreaterThan(0)
  expect(comparisons['llm(model=tiny) top=1']?.rows.map(({ name }) => name)).toEqual([
    'closed-book(model=tiny)',
    'naive',
  ])
  // Over the baseline trial, with the first answerer of the config.
  expect(answerers?.baseline).toBe(rows.find(({ answerer }) => answerer === 'extractive')?.id)
  expect(answerers?.rows.map(({ name }) => name)).toEqual(['llm(model=tiny) top=1', 'llm(model=tiny) top=3'])

  const tableOf = (name: string) => rowsOf(`a/${name}`)
  const table = await tableOf('answers.parquet')
  expect(table).toHaveLength(7 * 13)
  // 100 tokens at $1 and 10 at $10 a million; an extractive answer asks no model.
  expect(table[0]).toMatchObject({
    trial: -1,
    query: 0,
    answer: UNKNOWN,
    suggestion: 'Who else?',
    refused: true,
    passages: 0,
    model_calls: 1,
    input_tokens: 100,
    output_tokens: 10,
    cost_usd: 0.0002,
  })
  const passagesOf = (name: string) =>
    Math.max(...table.flatMap(({ answerer, passages }) => (answerer === name ? [Number(passages)] : [])))
  expect(['llm(model=tiny) top=1', 'llm(model=tiny) top=3'].map(passagesOf)).toEqual([1, 3])
  expect(table.find(({ answerer }) => answerer === 'extractive')).toMatchObject({
    cost_usd: 0,
    suggestion: '',
  })
  // [1] is the first chunk of the trial's ranking.
  const first = (await tableOf('rankings.parquet')).filter(({ rank }) => rank === 1)
  const cited = (await tableOf('citations.parquet')).filter(({ number }) => number === 1)
  expect(cited.length).toBeGreaterThan(0)
  for (const { trial, query, chunk } of cited)
    expect(first.find((row) => row.trial === trial && row.query === query)?.chunk).toBe(chunk)

  // Prompts that hold the same are one question.
  const prompts = new Set(asked.map(({ body }) => JSON.stringify(body.messages)))
  expect(asked).toHaveLength(prompts.size)
  const before = asked.length
  expect(await run('again', '--shard-size', '3')).toMatchObject({ code: 0 })
  expect(await run('replayed', ...replayOf('a'))).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(before)
  expect([resultOf('again'), resultOf('replayed')]).toEqual([resultOf('a'), resultOf('a')])
  const report = readFileSync(join(folder, 'a.html'), 'utf8')
  expect(report).toContain('Effect of retrieval on answers.')
})

/** The prompts of seed documents 000, 003 and 004, with our marks for their placeholders. */
const promptOf = (seed: string) =>
  readFileSync(join(import.meta.dirname, `../golden/prompts/seed-${seed}.md`), 'utf8')

test.each(['000', '003', '004'])(
  'a custom prompt reaches the model with context and question in their places: seed %s',
  async (seed) => {
    const prompt = promptOf(seed)
    const { asked, run, folder } = await setUp('{llm: {model: tiny, prompt: mine.md, top: 1}}')
    writeFileSync(join(folder, 'mine.md'), prompt)
    expect(await run('a', '--only', 'bm25')).toMatchObject({ code: 0 })
    const [before, between, after] = prompt.split(/\{\{\w+\}\}/)
    const sent = asked.map(({ body }) => body.messages[0].content as string)
    expect(sent).toHaveLength(13)
    // One question finds nothing.
    const passage = '(?:<passage number="1">\n[\\s\\S]+\n</passage>)?'
    const parts = [before, between, after.trimEnd()].map((text) => text.replace(/[.*?()]/g, '\\$&'))
    const form = new RegExp(`^${parts[0]}${passage}${parts[1]}[^\n]+\\?${parts[2]}\\s*$`)
    for (const content of sent) expect(content).toMatch(form)
    expect(sent.filter((content) => content.includes('<passage number="1">'))).toHaveLength(12)
  },
)

test('a router chooses the strategy, whose context goes to the model, and the answer comes with its costs', async () => {
  const { asked, call } = await setUp('{llm: {model: tiny, top: 2}}')
  const prepare = 'prepare={graph: titles, communities: leiden, reports: extractive}'
  const set = ['--set', 'trials=[{router: {rules: seed-003}}]', '--set', prepare]
  for (const [question, arm, step, kinds] of [
    ['define glass', 'hybrid', 'fuse', []],
    ['Is TownA0 like TownB1?', 'graphrag-local', 'rank-local', ['entity', 'relationship', 'report']],
  ] as const) {
    const { out, err } = await call('ask', 'a.yaml', question, '--answer', 'llm', '--json', ...set)
    expect(err).toBe('')
    const { answer, sources, ...rest } = JSON.parse(out)
    expect(rest.arm).toBe(arm)
    expect(rest.steps.map((row: { step: string }) => row.step)).toEqual(
      expect.arrayContaining(['route', step]),
    )
    const { passages } = answer
    expect(passages.slice(0, 2).map(({ chunks }: { chunks: string[] }) => chunks)).toEqual(
      sources.slice(0, 2).map(({ chunk }: { chunk: { id: string } }) => [chunk.id]),
    )
    const headings = passages.slice(2).map(({ heading }: { heading: string }) => heading)
    expect(new Set(headings)).toEqual(new Set(kinds))
    const sent = asked.at(-1)?.body.messages[0].content
    for (const { heading, text } of passages) expect(sent).toContain(`\n${heading}\n${text}\n</passage>`)
    expect(answer).toMatchObject({
      text: `${passages[0].heading} [1]`,
      cited: [1],
      models: ['tiny'],
      inputTokens: 100,
      outputTokens: 10,
      dollars: 0.0002,
      milliseconds: expect.any(Number),
    })
  }
  expect(asked).toHaveLength(2)
})

test("the model of seed document 003 is asked with the config's temperature and limit; without them the server's and 4,096", async () => {
  const { folder, asked, baseUrl } = await fakeServerOfAnthropic()
  vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-anthropic')
  const { call } = callsIn(folder)
  const sentWith = async (more: string) => {
    const model = `models.main={anthropic: {baseUrl: "${baseUrl}", model: claude-3-5-sonnet-20241022${more}}}`
    const question = ['ask', 'a.yaml', 'What does TownA0 live by?', '-t', 'bm25', '--answer', 'llm', '--json']
    const { code, out, err } = await call(...question, '--set', model)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out).answer).toMatchObject({ models: ['claude-3-5-sonnet-20241022'], cited: [1] })
    const { url, body } = asked.at(-1) as (typeof asked)[number]
    return { url, model: body.model, temperature: body.temperature, max_tokens: body.max_tokens }
  }
  const sent = { url: '/v1/messages', model: 'claude-3-5-sonnet-20241022' }
  expect(await sentWith(', temperature: 0.3, maxTokens: 1000')).toEqual({
    ...sent,
    temperature: 0.3,
    max_tokens: 1000,
  })
  expect(await sentWith('')).toEqual({ ...sent, temperature: undefined, max_tokens: 4096 })
})

/** A config whose answerer is the model `main`, and a server that answers as Anthropic's. */
async function fakeServerOfAnthropic() {
  const { folder } = await setUp('{llm: {model: main, top: 1}}')
  const server = await fakeServer((_, { body }) => ({
    json: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: body.model,
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Salt [1]' }],
      usage: { input_tokens: 100, output_tokens: 10 },
    },
  }))
  return { ...server, folder }
}

test('answers of several models are compared over the same retrieval, by a judge too', async () => {
  const { run, folder, read } = await setUp('{llm: {grid: {model: [tiny, mute]}}}')
  const mute = await fakeServer(() => completion('I do not know.', { model: 'mute' }))
  const set = [
    '--set',
    `models.mute={openai-compatible: {baseUrl: "${mute.baseUrl}", model: mute}}`,
    '--set',
    'compare.answers=answer_similarity',
    '--set',
    'judge=answer_similarity',
    '--set',
    'prepare={embedder: {lsa: {dims: 4}}}',
  ]
  expect(await run('a', '--only', 'bm25', ...set)).toMatchObject({ code: 0 })
  const { answers } = read('a/summary.json')
  const [speaks, mutes] = answers.rows
  expect([speaks, mutes].map(({ answerer }) => answerer)).toEqual(['llm model=tiny', 'llm model=mute'])
  for (const measure of ['answer_grounded', 'answer_similarity'])
    expect(speaks.measures[measure].mean ?? 0, measure).toBeGreaterThan(mutes.measures[measure].mean ?? 0)
  expect(mutes.measures.refused_answerable.mean).toBe(1)
  expect(mute.asked).toHaveLength(13)
  expect(answers.answerers).toMatchObject({ measure: 'answer_similarity', baseline: speaks.id })
  expect(answers.answerers.rows).toMatchObject([
    {
      id: mutes.id,
      name: 'llm model=mute',
      n: 12,
      wins: 0,
      losses: 12,
      low: null,
      high: null,
      verdict: 'cannot tell',
    },
  ])
  const [{ difference }] = answers.answerers.rows
  expect(difference).toBeCloseTo(-speaks.measures.answer_similarity.mean, 12)
  expect(readFileSync(join(folder, 'a.html'), 'utf8')).toContain('Answerers over the baseline trial')

  // Over one trial or several, an answerer alone is compared with no other.
  expect(await run('alone', ...set, '--set', 'answer=extractive')).toMatchObject({ code: 0 })
  const single = read('alone/summary.json')
  expect(Object.keys(single.answers.comparisons)).toEqual(['extractive'])
  expect(single.answers.answerers).toBeUndefined()
})

test('the budget holds for answers too; with more the same command goes on', async () => {
  // 100 read and 10 written: $0.0002 an answer.
  const { asked, run } = await setUp('{llm: {model: tiny}}', 'budget: {dollars: 0.001}')
  const stopped = await run('a')
  expect(stopped.code).toBe(2)
  expect(stopped.err).toMatch(
    /the budget of \$0\.0010 is used up .*; left undone: \d+ of 26 answers to questions\. Completions are stored/,
  )
  expect(asked.length).toBeLessThan(5 + 8)
  const paid = asked.length
  expect(await run('a', '--set', 'budget.dollars=1')).toMatchObject({ code: 0 })
  expect(asked.length).toBeGreaterThan(paid)
  const prompts = new Set(asked.map(({ body }) => JSON.stringify(body.messages)))
  expect(asked).toHaveLength(prompts.size)
})
