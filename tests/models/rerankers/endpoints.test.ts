import { describe, expect, test } from 'vitest'
import type { Message } from '../../../src/models/chat/chat-model.ts'
import { openServer } from '../../../src/models/http/server.ts'
import { type RerankWire, rerankOver } from '../../../src/models/reranker.ts'
import { rerankers } from '../../../src/models/rerankers/index.ts'
import { find } from '../../../src/registry.ts'
import { type Behaviour, fakeClock, fakeServer } from '../fake-server.ts'

const CANARY = 'co-canary-8d2e'
const QUERY = 'What is the capital of Nevada?'
const PASSAGES = [
  'Carson City is the capital of Nevada.',
  'Saipan is an island.',
  'Capital letters begin a sentence.',
]
const SCORES = [0.98, 0.03, 0.4]
const messages = (passages: readonly string[], query = QUERY): Message[] =>
  [query, ...passages].map((content) => ({ role: 'user', content }))

/** Answers of each provider in its form, best first. */
const sorted = (passages: readonly string[], field: string) =>
  passages
    .map((text, index) => ({ index, [field]: SCORES[PASSAGES.indexOf(text)] ?? 0 }))
    .sort((a, b) => Number(b[field]) - Number(a[field]))
const FORMS: Record<
  string,
  { path: string; body: object; answer: (texts: string[]) => unknown; usage: unknown }
> = {
  cohere: {
    path: '/v1/v2/rerank',
    body: { model: 'm', query: QUERY, documents: PASSAGES, top_n: 3 },
    answer: (texts) => ({
      id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
      results: sorted(texts, 'relevance_score'),
      meta: { api_version: { version: '2', is_experimental: false }, billed_units: { search_units: 1 } },
    }),
    usage: { input: 0, output: 0, searches: 1 },
  },
  jina: {
    path: '/v1/rerank',
    body: { model: 'm', query: QUERY, documents: PASSAGES, top_n: 3, return_documents: false },
    answer: (texts) => ({
      model: 'm',
      object: 'list',
      usage: { total_tokens: 38 },
      results: sorted(texts, 'relevance_score'),
    }),
    usage: { input: 38, output: 0 },
  },
  tei: {
    path: '/v1/rerank',
    body: { query: QUERY, texts: PASSAGES, raw_scores: false, truncate: false },
    answer: (texts) => sorted(texts, 'score'),
    usage: null,
  },
}

const kinds = rerankers.all.filter(({ wire }) => wire).map(({ name }) => name)
test('each kind has its form here', () => expect(Object.keys(FORMS)).toEqual(kinds))

async function open(
  kind: string,
  behave: (n: number, texts: string[]) => Behaviour,
  passagesPerRequest = 100,
  answersAs?: string,
) {
  const fake = await fakeServer((n, { body }) => behave(n, body.documents ?? body.texts))
  const clock = fakeClock()
  const server = openServer({
    baseUrl: fake.baseUrl,
    clock,
    seed: 1,
    limits: { concurrency: 2 },
    headers: { authorization: `Bearer ${CANARY}` },
    secrets: [CANARY],
  })
  const wire = { ...(find(rerankers, kind).wire as RerankWire), passages: passagesPerRequest }
  const model = rerankOver(server, wire, { model: 'm', answersAs })
  return {
    ...fake,
    clock,
    complete: (passages = PASSAGES, query = QUERY) => model.complete(messages(passages, query), {}),
  }
}

describe.each(kinds)('%s', (kind) => {
  const { path, body, answer, usage } = FORMS[kind]
  const good = (texts: string[]): Behaviour => ({ json: answer(texts) })

  test('is asked in its own form, and its scores stand in the order of the passages', async () => {
    const { asked, complete } = await open(kind, (_, texts) => good(texts))
    expect(await complete()).toEqual({ text: JSON.stringify(SCORES), model: 'm', finish: 'stop', usage })
    expect(asked.map(({ url, body }) => ({ url, body }))).toEqual([{ url: path, body }])
    expect(asked[0].headers.authorization).toBe(`Bearer ${CANARY}`)
  })

  test('is not believed: scores that lack, repeat, belong to nothing or are no number', async () => {
    const field = find(rerankers, kind).wire?.score as string
    const results = (answered: readonly object[]) => (kind === 'tei' ? answered : { results: answered })
    const result = (index: number, score: unknown) => ({ index, [field]: score })
    const wrong: [answer: unknown, message: RegExp][] = [
      [results([result(0, 1)]), /where 3 scores were asked for/],
      [results([result(0, 1), result(1, 1), result(1, 1)]), /answered the result with index 1 twice/],
      [results([result(0, 1), result(1, 1), result(3, 1)]), /index 3 to 3 passages/],
      [results([result(0, 1), result(1, 1), result(2, null)]), /null, which is no number/],
      [results([result(0, 1), result(1, 1), result(2, '0.4')]), /"0\.4", which is no number/],
      [{ message: 'fine' }, /where 3 scores were asked for/],
      [null, /where 3 scores were asked for/],
    ]
    for (const [json, message] of wrong) {
      const { complete } = await open(kind, () => ({ json }))
      await expect(complete()).rejects.toThrow(message)
    }
  })
})

test('tei refuses a passage that is too long, and the error says what to do', async () => {
  const error = 'Input validation error: `inputs` must have less than 512 tokens. Given: 611'
  const { asked, complete } = await open('tei', () => ({
    status: 413,
    json: { error, error_type: 'Validation' },
  }))
  await expect(complete()).rejects.toThrow(
    /rerank: 413 .*less than 512 tokens\. Given: 611.*; if a passage is too long for the model, use smaller chunks$/,
  )
  expect(asked).toHaveLength(1)
})
