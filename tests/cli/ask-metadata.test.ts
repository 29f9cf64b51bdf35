import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRetriever } from '../../src/library/create-retriever.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'
import { fakeModel, modelAt } from './fake-model.ts'

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
  return callsIn(folder)
}

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

test('words about the asker are given with a question, in place of those of the config', async () => {
  const server = await fakeModel(() => 'Legal [1]')
  const { folder } = setUp(`models: {tiny: ${modelAt(server.baseUrl)}}
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
