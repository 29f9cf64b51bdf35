import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRetriever } from '../../src/library/create-retriever.ts'
import { temporaryFolder } from '../temporary.ts'

test('a result is cached by question, `k` and metadata', async () => {
  const line = (id: string, team: string) =>
    `${JSON.stringify({ _id: id, text: `Honey ${id}.`, metadata: { team } })}\n`
  const folder = temporaryFolder({
    'a.yaml': 'dataset: set\ntrials: [{bm25: {}, filter: {where: {team: {query: team}}}}]\n',
    'set/corpus.jsonl': ['a', 'b', 'c'].map((id) => line(id, 'x') + line(`other-${id}`, 'y')).join(''),
    'set/queries.jsonl': '{"_id": "q", "text": "?", "metadata": {"team": "x"}}\n',
    'set/qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq\ta\t1\n',
  })
  const retriever = await createRetriever(join(folder, 'a.yaml'), { cache: { size: 10, seconds: 3600 } })
  onTestFinished(() => retriever.close())
  const ask = async (question: string, k: number, team: string) => {
    const chunks = await retriever.retrieve(question, { k, metadata: { team } })
    return [chunks.length, chunks[0].metadata.team, retriever.cacheUse.hits]
  }
  expect(await ask('Honey?', 1, 'x')).toEqual([1, 'x', 0])
  expect(await ask('Honey?', 3, 'x')).toEqual([3, 'x', 0])
  expect(await ask('Honey?', 3, 'y')).toEqual([3, 'y', 0])
  expect(await ask('honey', 3, 'x')).toEqual([3, 'x', 0])
  expect(await ask('Honey?', 1, 'x')).toEqual([1, 'x', 1])
  expect(await ask('Honey?', 3, 'x')).toEqual([3, 'x', 2])
  expect(await ask('Honey?', 3, 'y')).toEqual([3, 'y', 3])
})
