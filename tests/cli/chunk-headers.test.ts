import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const TOWNS = 12

/** A header of a town's passage names what the question asks by and the passage does not say. */
async function setUp(unread = /^$/) {
  const { asked, baseUrl } = await fakeServer((_, { body }) => {
    const [, town] = /<passage>\n(Town\w+) lives/.exec(body.messages[0].content) ?? []
    const text = unread.test(town) ? '' : `Of ${town}, famous for zanzibar${town}.`
    return {
      json: {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'tiny',
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 10 },
      },
    }
  })
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {context: {grid: [title, {llm: {model: tiny}}]}}
models:
  tiny: {openai-compatible: {baseUrl: "${baseUrl}", model: tiny, maxTokens: 40, concurrency: 2, price: {input: 1, output: 10}}}
trials: [bm25, naive]
measures: [recall@1]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: TOWNS })
  // A question in words that only a header has.
  writeFileSync(join(folder, 'towns', 'queries.jsonl'), '{"_id": "q0", "text": "zanzibarTownD3"}\n')
  writeFileSync(join(folder, 'towns', 'qrels', 'test.tsv'), 'query-id\tcorpus-id\tscore\nq0\td3\t1\n')
  return { ...callsIn(folder, {}), asked }
}

test('headers are searched with their chunks by words and by vectors, and only there', async () => {
  const { call, run, asked, folder, resultOf } = await setUp()
  const planned = async () => JSON.parse((await call('plan', 'a.yaml', '--json')).out)
  expect((await planned()).toAsk.calls).toMatchObject([{ calls: TOWNS }])
  expect(asked).toHaveLength(0)
  expect(await run('first')).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(TOWNS)
  const { trials, indexes } = JSON.parse(readFileSync(join(folder, 'first', 'summary.json'), 'utf8'))
  const found = trials.map(({ name, measures }: { name: string; measures: Record<string, object> }) => [
    name,
    measures['recall@1'],
  ])
  expect(found).toMatchObject([
    ['bm25 context=title', { mean: 0 }],
    ['bm25 context=llm(model=tiny)', { mean: 1 }],
    ['naive context=title', { mean: 0 }],
    ['naive context=llm(model=tiny)', { mean: 1 }],
  ])
  // What is counted, judged and sent is the chunk as it was.
  expect(indexes.map(({ counts }: { counts: object }) => counts)).toMatchObject([
    { chunks: TOWNS, tokens: indexes[1].counts.tokens },
    { chunks: TOWNS, chunkHeaders: TOWNS },
  ])
  const page = readFileSync(join(folder, 'first.html'), 'utf8')
  expect(page).not.toContain('famous for')

  expect((await planned()).toAsk.calls).toMatchObject([{ calls: 0 }])
  const replay = ['--set', 'recording=first/answers.jsonl', '--store', 'other']
  expect((await run('replayed', ...replay)).code).toBe(0)
  expect(asked).toHaveLength(TOWNS)
  expect(resultOf('replayed')).toBe(resultOf('first'))
})

test('chunks without a header are named; a prompt that lacks the document is told', async () => {
  const { run, call, folder } = await setUp(/TownB1|TownC2/)
  const { err, code } = await run('a')
  expect(code).toBe(0)
  expect(err).toContain(
    'warning: context: llm: 2 of 12 chunks have no header: no completion for them could be read',
  )
  expect(readFileSync(join(folder, 'a', 'summary.json'), 'utf8')).toContain('"unreadHeaders":2')
  writeFileSync(join(folder, 'mine.md'), 'Situate {{text}}, please.\n')
  const set = '--set=prepare.context={llm: {model: tiny, prompt: mine.md}}'
  expect((await call('check', 'a.yaml', set)).err).toContain('mine.md: this prompt lacks `{{document}}`')
})
