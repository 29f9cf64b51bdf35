import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeServer } from '../models/fake-server.ts'
import { callsInTowns } from './calls.ts'

const CANARY = 'jina-canary-77'

async function setUp(more = '') {
  // The longer a passage, the better.
  const server = await fakeServer((_, { body }) => ({
    json: {
      results: body.documents.map((text: string, index: number) => ({
        index,
        relevance_score: text.length / 1000,
      })),
      usage: { total_tokens: 50 },
    },
  }))
  const calls = callsInTowns(
    `dataset: towns
rerankers:
  far: {jina: {baseUrl: "${server.baseUrl}", model: m, apiKeyEnv: FAR_KEY${more}}}
trials:
  - bm25
  - bm25: {}
    after: [{rerank: {by: far, top: 4}}]
  - naive: {}
    after: [{rerank: {by: far, top: 3, keep: 2, minScore: 0.01}}]
compare: {draws: 200}
`,
    {},
    12,
    { FAR_KEY: CANARY },
  )
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('FAR_KEY', CANARY)
  return { ...server, ...calls }
}

test('each question is asked once, before the shards; a recording replays without a server or a key', async () => {
  const { asked, folder, run, resultOf, summaryOf, said } = await setUp()
  expect(await run('first')).toMatchObject({ code: 0 })
  const questions = asked.map(({ body }) => JSON.stringify([body.query, body.documents]))
  expect(questions.length).toBeGreaterThan(12)
  expect(new Set(questions).size).toBe(questions.length)
  expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${CANARY}`]))
  const { trials } = summaryOf('first')
  expect(trials[0].perQuery.modelCalls).toBeUndefined()
  expect(trials[1].perQuery.modelCalls).toBeGreaterThan(0.9)
  const counted = Object.keys(trials[1].perQuery).filter((name) => !(name in trials[0].perQuery))
  expect(counted).toEqual(['inputTokens', 'inputTokens of far', 'modelCalls', 'outputTokens'])
  const answers = readFileSync(join(folder, 'first', 'answers.jsonl'), 'utf8')
  expect(answers).not.toContain(CANARY)

  vi.stubEnv('FAR_KEY', '')
  expect(await run('again')).toMatchObject({ code: 0 })
  const replayed = ['--set', 'rerankers.far={recorded: first/answers.jsonl}', '--store', 'other']
  expect(await run('replayed', ...replayed)).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(questions.length)
  expect([resultOf('again'), resultOf('replayed')]).toEqual([resultOf('first'), resultOf('first')])

  writeFileSync(join(folder, 'few.jsonl'), answers.split('\n').slice(0, 3).join('\n'))
  const lacking = await run('lacking', '--set', 'rerankers.far={recorded: few.jsonl}', '--store', 'third')
  expect(lacking.code).toBe(2)
  expect(lacking.err).toContain('few.jsonl: holds no completion of the model `far`')
  expect(said()).not.toContain(CANARY)
})

test('a budget needs a price, and holds for rerankers too', async () => {
  const unpriced = await setUp()
  const { code, err } = await unpriced.run('out', '--set', 'budget.dollars=1')
  expect(code).toBe(2)
  expect(err).toContain('a.yaml:3:9: has no price, and `budget` is in dollars')
  // 50 tokens an answer: a 64th of a dollar.
  const { asked, run } = await setUp(', concurrency: 1, price: {input: 312.5}')
  const stopped = await run('out', '--set', 'budget.dollars=0.125')
  expect(stopped.code).toBe(2)
  expect(stopped.err).toContain('the budget of $0.1250 is used up ($0.1250)')
  expect(asked).toHaveLength(8)
})
