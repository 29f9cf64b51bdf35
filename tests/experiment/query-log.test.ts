import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WithoutDocuments } from '../../src/dataset/types.ts'
import { type LoggedQuery, logQuery } from '../../src/experiment/query-log.ts'
import { createRetriever } from '../../src/library/create-retriever.ts'
import { evaluate } from '../../src/metrics/evaluate.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { sha256 } from '../../src/store/hash.ts'
import type { Chunk } from '../../src/types.ts'
import { callsIn } from '../cli/calls.ts'
import { temporaryFolder } from '../temporary.ts'
import { writeTowns } from './experiments.ts'

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('a question of the dataset is logged with its hits, three logs, and an answer in all of them', async () => {
  const folder = temporaryFolder({ 'a.yaml': 'dataset: towns\ntrials: [bm25]\nanswer: extractive\n' })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { call } = callsIn(folder)
  const [question] = readFileSync(join(folder, 'towns', 'queries.jsonl'), 'utf8').split('\n')
  const known = JSON.parse(question).text
  expect(await call('ask', 'a.yaml', known, '--log', 'logs', '--answer', 'extractive')).toMatchObject({
    code: 0,
  })
  const retriever = await createRetriever(join(folder, 'a.yaml'), { log: join(folder, 'logs') })
  await retriever.retrieve('What is not asked there?')
  await retriever.close()
  const [first, second] = linesOf(join(folder, 'logs', 'evaluation.jsonl'))
  expect(first).toMatchObject({ query: known, trial: 'bm25', hit_rate: 1, answer_length: expect.any(Number) })
  expect(first.query_hash).toMatch(/^[0-9a-f]{16}$/)
  expect(first.timestamp).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(second).toMatchObject({ hit_rate: null, generation_time: null, answer_length: null })
  const retrievals = linesOf(join(folder, 'logs', 'retrieval_metrics.jsonl'))
  expect(retrievals).toHaveLength(2)
  expect(retrievals[0].context_precision).toBeGreaterThan(0)
  const generations = linesOf(join(folder, 'logs', 'generation_metrics.jsonl'))
  expect(generations).toMatchObject([{ query_hash: first.query_hash, model_used: null, kept: false }])
})

const DATASET = {
  queries: [{ id: 'q', text: 'Who?' }],
  qrels: new Map([['q', new Map([['d', 1]])]]),
  spans: new Map([['q', [{ documentId: 'd', start: 5, end: 9 }]]]),
  judgedUnit: 'document',
} as unknown as WithoutDocuments
const chunk = (id: string, documentId: string, start: number) =>
  ({ id, documentId, start, end: start + 5, text: '' }) as unknown as Chunk
const QUERY: LoggedQuery = {
  trial: 't',
  question: 'Who?',
  retrieval: 2,
  answer: null,
  chunks: [chunk('c', 'd', 0), chunk('e', 'd', 5)],
}

test.each([
  ['document', 1],
  ['span', 0.5],
  ['chunk', 0],
])('gold is what the dataset judges: %s', (judgedUnit, precision) => {
  const folder = temporaryFolder()
  logQuery(folder, QUERY, { ...DATASET, judgedUnit } as WithoutDocuments, new Date(0))
  const [line] = linesOf(join(folder, 'retrieval_metrics.jsonl'))
  expect(line).toMatchObject({
    context_precision: precision,
    hit_rate: Math.ceil(precision),
    retrieval_time: 0.002,
  })
})

test('context_precision is the measure of that name over the displayed documents', () => {
  const folder = temporaryFolder()
  const documents = ['x', 'd', 'd', 'y', 'g']
  const chunks = documents.map((document, at) => chunk(`c${at}`, document, 5 * at))
  const gold = new Map([
    ['d', 1],
    ['g', 2],
    ['z', 1],
  ])
  logQuery(folder, { ...QUERY, chunks }, { ...DATASET, qrels: new Map([['q', gold]]) }, new Date(0))
  // x, d, y, g: gold at the ranks 2 and 4 of the documents.
  const [{ context_precision }] = linesOf(join(folder, 'retrieval_metrics.jsonl'))
  expect(context_precision).toBeCloseTo((1 / 2 + 2 / 4) / 2, 12)
  const ranks = { grades: Int32Array.of(1, 2, 1), ranks: Int32Array.of(2, 4, 0), retrieved: 4 }
  expect(context_precision).toBe(evaluate([parseMeasure('context_precision@5')], ranks)[0])
})

test('each log has its own fields, times in seconds and tokens of the answer', () => {
  const folder = temporaryFolder()
  const answer = {
    text: 'In Lomm.',
    milliseconds: 1500,
    models: ['m', 'n'],
    refused: false,
    cited: ['c', 'e', 'c'],
    inputTokens: 40,
    outputTokens: 3,
    kept: true,
  } as unknown as LoggedQuery['answer']
  const log = (logged: LoggedQuery, dataset: object = DATASET) =>
    logQuery(folder, logged, { ...DATASET, ...dataset } as WithoutDocuments, new Date(0))
  log({ ...QUERY, retrieval: 250, answer, chunks: [...QUERY.chunks, chunk('f', 'g', 0)] })
  log({ ...QUERY, question: 'Whom?', answer: { ...answer, models: [] } as unknown as LoggedQuery['answer'] })
  log({ ...QUERY, chunks: [] }, { qrels: new Map([['q', new Map([['d', 0]])]]) })
  log(QUERY, { qrels: new Map([['q', new Map([['d', 0]])]]) })
  log(QUERY, { qrels: new Map() })
  // The first 16 digits of the SHA-256 of the question.
  const [who, whom] = ['Who?', 'Whom?'].map((text) => sha256(text).slice(0, 16))
  const all = { timestamp: '1970-01-01T00:00:00.000Z', query_hash: who, trial: 't' }
  const fast = { ...all, retrieval_time: 0.002 }
  const none = { generation_time: null, answer_length: null }
  expect(linesOf(join(folder, 'evaluation.jsonl'))).toEqual([
    { ...all, query: 'Who?', retrieval_time: 0.25, hit_rate: 1, generation_time: 1.5, answer_length: 8 },
    { ...fast, query_hash: whom, query: 'Whom?', hit_rate: null, generation_time: 1.5, answer_length: 8 },
    { ...fast, query: 'Who?', hit_rate: 0, ...none },
    { ...fast, query: 'Who?', hit_rate: 0, ...none },
    { ...fast, query: 'Who?', hit_rate: null, ...none },
  ])
  expect(linesOf(join(folder, 'retrieval_metrics.jsonl'))).toEqual([
    { ...all, retrieval_time: 0.25, hit_rate: 1, context_precision: 1, documents_retrieved: 2 },
    { ...fast, query_hash: whom, hit_rate: null, context_precision: null, documents_retrieved: 1 },
    { ...fast, hit_rate: 0, context_precision: null, documents_retrieved: 0 },
    { ...fast, hit_rate: 0, context_precision: 0, documents_retrieved: 1 },
    { ...fast, hit_rate: null, context_precision: null, documents_retrieved: 1 },
  ])
  const written = { ...all, generation_time: 1.5, response_length: 8, refused: false, citations: 3 }
  const tokens = { input_tokens: 40, output_tokens: 3, kept: true }
  expect(linesOf(join(folder, 'generation_metrics.jsonl'))).toEqual([
    { ...written, ...tokens, model_used: 'm, n' },
    { ...written, ...tokens, query_hash: whom, model_used: null },
  ])
})

test('full files are rotated, and the oldest goes', () => {
  const folder = temporaryFolder()
  for (let n = 0; n < 12; n++) logQuery(folder, { ...QUERY, trial: `t${n}` }, DATASET, new Date(n), 400)
  const files = readdirSync(folder).filter((file) => file.startsWith('evaluation'))
  expect(files.sort()).toEqual(['', '.1', '.2', '.3', '.4'].map((end) => `evaluation.jsonl${end}`))
  // Each file holds as many lines as the newest, and `.1` is the newest of the old ones.
  const firsts = files.map((file) => Number(linesOf(join(folder, file))[0].trial.slice(1)))
  expect(firsts).toEqual([...firsts].sort((a, b) => b - a))
  expect(linesOf(join(folder, 'evaluation.jsonl')).at(-1).trial).toBe('t11')
  expect(existsSync(join(folder, 'generation_metrics.jsonl'))).toBe(false)
  const all = files.flatMap((file) => linesOf(join(folder, file)).map(({ trial }) => trial))
  expect(new Set(all).size).toBe(all.length)
})
