import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRetriever } from '../../src/library/create-retriever.ts'
import { fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const CORPUS = [
  ['d0', { team: 'legal', lang: 'en', processed_date: '2025-01-10' }],
  ['d1', { team: 'sales', lang: 'en', processed_date: '2025-02-10' }],
  ['d2', { team: 'legal', lang: 'de', processed_date: '2025-03-10' }],
] as const
const KNOWN = 'Who keeps the contracts?'

/** A dataset whose three passages differ in their metadata alone, and trials that filter by those of the question. */
function setUp(more = '') {
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const folder = temporaryFolder({
    'set/corpus.jsonl': lines(CORPUS.map(([_id, metadata]) => ({ _id, text: 'All contracts.', metadata }))),
    'set/queries.jsonl': lines([
      { _id: 'q', text: KNOWN, metadata: { team: 'sales', lang: 'en', from: '2025-02' } },
    ]),
    'set/qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq\td1\t1\n',
    'a.yaml': `dataset: set
trials:
  - {name: team, bm25: {}, filter: {where: {team: {query: team}}}}
  - {name: since, bm25: {}, filter: {where: {lang: {query: lang}, processed_date: {from: {query: from}}}}}
  - {name: all, bm25: {}}
  - {name: fused, fuse: {of: [all, team]}}
  - {name: teams, bm25: {fields: {text: 1, metadata.team: 1}}}
${more}`,
  })
  return callsIn(folder, {})
}

const idsOf = (out: string) =>
  JSON.parse(out)
    .sources.map(({ chunk }: { chunk: { documentId: string } }) => chunk.documentId)
    .sort()

test('a filter reads the metadata that are given with a question, those of the dataset if it is there', async () => {
  const { call } = setUp()
  const found = async (question: string, ...more: string[]) => {
    const { code, out, err } = await call('ask', 'a.yaml', question, '--json', ...more)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return idsOf(out)
  }
  const asked = 'Which contracts?'
  expect(await found(asked, '--metadata', 'team=legal')).toEqual(['d0', 'd2'])
  expect(await found(asked, '--metadata', 'team=legal', '--metadata', 'team=sales')).toEqual([
    'd0',
    'd1',
    'd2',
  ])
  expect(await found(asked, '-t', 'since', '--metadata', 'lang=en', '--metadata', 'from=2025-02')).toEqual([
    'd1',
  ])
  expect(await found(KNOWN.replace('Who', 'who'), '-t', 'all')).toEqual(['d0', 'd1', 'd2'])
  expect(await found(KNOWN)).toEqual(['d1'])
  expect(await found(KNOWN, '--metadata', 'team=legal')).toEqual(['d0', 'd2'])
})

test('a question without the metadata that a filter reads is an error, not an empty list', async () => {
  const { call } = setUp()
  expect(
    await call('ask', 'a.yaml', 'Which contracts?', '-t', 'since', '--metadata', 'lang=en'),
  ).toMatchObject({
    code: 2,
    err: "the filter of since reads `from` of the question's metadata; give `--metadata from=VALUE`, or `metadata: {from: ...}` in a program\n",
  })
  // Nor is one of several lists empty.
  expect(await call('ask', 'a.yaml', 'Which contracts?', '-t', 'fused')).toMatchObject({
    code: 2,
    err: expect.stringContaining('the filter of fused reads `team`'),
  })
  expect(await call('ask', 'a.yaml', 'Which contracts?', '--metadata', 'legal')).toMatchObject({
    code: 2,
    err: '--metadata legal: is not of the form NAME=VALUE, as --metadata lang=en\n',
  })
})

test('a retriever takes metadata with a question, and caches by them', async () => {
  const { folder } = setUp()
  const retriever = await createRetriever(join(folder, 'a.yaml'), { cache: { size: 9, seconds: 60 } })
  const ids = async (team: string | string[]) =>
    (await retriever.retrieve('Which contracts?', { metadata: { team } }))
      .map(({ document }) => document)
      .sort()
  expect([await ids('legal'), await ids('sales'), await ids('legal')]).toEqual([
    ['d0', 'd2'],
    ['d1'],
    ['d0', 'd2'],
  ])
  expect(retriever.cacheUse).toEqual({ questions: 3, hits: 1 })
  await expect(retriever.retrieve('Which contracts?')).rejects.toThrow('reads `team`')
  await retriever.close()
})

test('a retrieval test has metadata of its question', async () => {
  const { folder, call } = setUp()
  const tests = (team: string) =>
    `config: a.yaml\ntests: [{name: own, question: Which contracts?, metadata: {team: ${team}}, requires: [{chunk: d1}]}]\n`
  for (const [team, code] of [
    ['sales', 0],
    ['legal', 3],
  ] as const) {
    writeFileSync(join(folder, 'tests.yaml'), tests(team))
    expect([team, (await call('test', 'tests.yaml')).code]).toEqual([team, code])
  }
})

test('words about the asker are given with a question, in place of those of the config', async () => {
  const server = await fakeServer(() => ({
    json: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'tiny',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Legal [1]' }, finish_reason: 'stop' }],
    },
  }))
  const { folder } = setUp(`models: {tiny: {openai-compatible: {baseUrl: "${server.baseUrl}", model: tiny}}}
answer: [{llm: {model: tiny, userContext: a visitor}}, extractive]
`)
  const retriever = await createRetriever(join(folder, 'a.yaml'), { trial: 'all' })
  const answerBy = (answerer: string, userContext?: string) =>
    retriever.answer('Which contracts?', { answerer, ...(userContext !== undefined && { userContext }) })
  await answerBy('llm')
  await answerBy('llm', 'a new lawyer')
  expect(
    server.asked.map(({ body }) => /<user-context>\n(.*)\n/.exec(body.messages[0].content)?.[1]),
  ).toEqual(['a visitor', 'a new lawyer'])
  await expect(answerBy('extractive', 'a new lawyer')).rejects.toThrow(
    'the answerer extractive takes no `userContext`',
  )
  await expect(answerBy('llm', '')).rejects.toThrow('`userContext` must be a text of 1 to 10,000 characters')
  await retriever.close()
})

test('BM25 finds a word that stands in a field of the metadata alone', async () => {
  const { call } = setUp()
  const found = async (trial: string) =>
    idsOf((await call('ask', 'a.yaml', 'legal?', '--json', '-t', trial)).out)
  expect([await found('all'), await found('teams')]).toEqual([[], ['d0', 'd2']])
})

test('a result has the question, its sources, the time of the retrieval and the context that was sent', async () => {
  const { call } = setUp('answer: extractive\n')
  const { out } = await call(
    'ask',
    'a.yaml',
    'Which contracts?',
    '-t',
    'all',
    '--json',
    '--answer',
    'extractive',
  )
  const { query, milliseconds, steps, sources, answer } = JSON.parse(out)
  expect(query).toBe('Which contracts?')
  const inSteps = steps.reduce((sum: number, step: { milliseconds: number }) => sum + step.milliseconds, 0)
  expect(milliseconds).toBeGreaterThanOrEqual(inSteps)
  expect(sources[0]).toMatchObject({
    chunk: { text: 'All contracts.', metadata: { lang: expect.any(String) } },
    score: expect.any(Number),
  })
  expect(answer.passages.map(({ text }: { text: string }) => text)).toEqual(Array(3).fill('All contracts.'))
})

test.each([
  ['null', null],
  ['an empty list', []],
  ['undefined', undefined],
])('a field that is %s is missing: the filter would find nothing', async (_, team) => {
  const { folder } = setUp()
  const retriever = await createRetriever(join(folder, 'a.yaml'))
  onTestFinished(() => retriever.close())
  const asked = retriever.retrieve('Which contracts?', { metadata: { team } as never })
  await expect(asked).rejects.toThrow('the filter of team reads `team`')
})

test('the log has the metadata that were given, so that `inspect --cache` tells such questions apart', async () => {
  const { call, folder } = setUp()
  for (const team of ['legal', 'sales', 'legal'])
    await call('ask', 'a.yaml', 'Which contracts?', '--metadata', `team=${team}`, '--log', 'logs')
  await call('ask', 'a.yaml', KNOWN, '--log', 'logs')
  const log = readFileSync(join(folder, 'logs/evaluation.jsonl'), 'utf8').trimEnd().split('\n')
  expect(log.map((line) => JSON.parse(line).params)).toEqual([
    { team: ['legal'] },
    { team: ['sales'] },
    { team: ['legal'] },
    undefined,
  ])
  const { out } = await call('inspect', '--cache', 'logs/evaluation.jsonl', '--json')
  expect(JSON.parse(out)).toMatchObject({ hits: 1 })
})
