import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chunkDocuments } from '../../../src/corpus/chunks/chunk.ts'
import { loadDataset } from '../../../src/dataset/load.ts'
import { withoutDocuments } from '../../../src/dataset/types.ts'
import { writeBeir } from '../../../src/dataset/write-beir.ts'
import { judgedUnits } from '../../../src/experiment/shard/judged-units.ts'
import { goldLabelsOf } from '../../../src/experiment/shard/questions.ts'
import { temporaryFolder } from '../../temporary.ts'

const BOOK = '# Lomm\n\nAt the strait.\n\n## Harbour\n\nIt silts up.\n\n## Crew\n\nPaid in salt.\n'
const line = (item: unknown) => `${JSON.stringify(item)}\n`
const QUESTIONS = [
  {
    _id: 'either',
    text: 'What silts up?',
    metadata: { category: 'fact' },
    gold: [
      { file: 'book/lomm.md', quote: 'It silts up.', group: 'a' },
      { file: 'tarn.md', quote: 'The harbour silts up', group: 'a' },
      { file: 'book/lomm.md', headings: ['Lomm', 'Crew'] },
    ],
    trap: [{ file: 'tarn.md', quote: 'inland' }],
  },
  { _id: 'one', text: 'Where is Tarn?', gold: [{ file: 'tarn.md', quote: 'Tarn lies inland' }] },
]
const folder = () =>
  temporaryFolder({
    'notes/book/lomm.md': BOOK,
    'notes/tarn.md': 'Tarn lies inland. The harbour\nsilts up.\n',
    'questions.jsonl': QUESTIONS.map(line).join(''),
  })
const load = (at: string) =>
  loadDataset({ name: 'folder', params: { path: 'notes', questions: 'questions.jsonl' } }, at)

test('gold becomes spans of the files, alternatives a group', async () => {
  const set = await load(folder())
  expect(
    goldLabelsOf(withoutDocuments(set)).map(({ query, judged, group }) => [query, judged, group]),
  ).toEqual([
    [0, 'book/lomm.md:36-48', 0],
    [0, 'book/lomm.md:50-73', 1],
    [0, 'tarn.md:18-38', 0],
    [1, 'tarn.md:0-16', -1],
  ])
})

test('every chunking finds gold in the chunks that overlap it', async () => {
  const set = await load(folder())
  const ids = goldLabelsOf(withoutDocuments(set)).map(({ judged }) => judged)
  const choices: Parameters<typeof chunkDocuments>[1][] = [
    { name: 'headings', params: { levels: 2 } },
    { name: 'passages', params: {} },
  ]
  for (const choice of choices) {
    const chunks = chunkDocuments(set.documents, choice)
    const { holders } = judgedUnits('span', chunks, set.documents).placed(ids)
    const chunkIds = ids.map((_, label) =>
      [...(holders?.units.slice(holders.offsets[label], holders.offsets[label + 1]) ?? [])].map((row) =>
        chunks[row].title === '' ? chunks[row].documentId : chunks[row].title,
      ),
    )
    expect(chunkIds).toEqual(
      choice.name === 'passages'
        ? [['Lomm'], ['Lomm'], ['tarn'], ['tarn']]
        : [['Harbour'], ['Crew'], ['tarn'], ['tarn']],
    )
  }
})

test('written as BEIR it reads back equal, groups of spans included', async () => {
  const at = folder()
  const set = await load(at)
  writeBeir(set, join(at, 'beir'))
  const again = await loadDataset({ name: 'beir', params: { path: 'beir' } }, at)
  expect(again.groups).toEqual(set.groups)
  expect(again.hash).toBe(set.hash)
})
