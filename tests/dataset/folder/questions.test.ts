import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chunkDocuments } from '../../../src/corpus/chunks/chunk.ts'
import { loadDataset } from '../../../src/dataset/load.ts'
import { withoutDocuments } from '../../../src/dataset/without-documents.ts'
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
const folder = (lomm = BOOK) =>
  temporaryFolder({
    'notes/book/lomm.md': lomm,
    'notes/tarn.md': 'Tarn lies inland. The harbour\nsilts up.\n',
    'questions.jsonl': QUESTIONS.map(line).join(''),
  })
const load = (at: string) =>
  loadDataset({ name: 'folder', params: { path: 'notes', questions: 'questions.jsonl' } }, at)

test('gold becomes spans of the files, alternatives a group', async () => {
  const set = await load(folder())
  const texts = new Map(set.documents.map(({ id, text }) => [id, text]))
  const held = [...set.spans].map(([query, spans]) => [
    query,
    spans.map(({ documentId, start, end }) => texts.get(documentId)?.slice(start, end)),
  ])
  expect(Object.fromEntries(held)).toEqual({
    either: ['It silts up.', '## Crew\n\nPaid in salt.\n', 'The harbour\nsilts up'],
    one: ['Tarn lies inland'],
  })
  expect(set.queries.map(({ id, category, metadata }) => [id, category, metadata])).toEqual([
    ['either', 'fact', {}],
    ['one', null, {}],
  ])
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
    const held = ids.map((_, label) =>
      [...(holders?.units.slice(holders.offsets[label], holders.offsets[label + 1]) ?? [])].map((row) =>
        chunks[row].title === '' ? chunks[row].documentId : chunks[row].title,
      ),
    )
    expect(held).toEqual(
      choice.name === 'passages'
        ? [['Lomm'], ['Lomm'], ['tarn'], ['tarn']]
        : [['Harbour'], ['Crew'], ['tarn'], ['tarn']],
    )
  }
})

test('a section inserted before moves the offsets, and the gold with them', async () => {
  const [before, after] = [
    await load(folder()),
    await load(folder(BOOK.replace('## H', '## New\n\nx\n\n## H'))),
  ]
  const first = (set: typeof before) => set.spans.get('either')?.[0].start ?? 0
  expect(first(after) - first(before)).toBe('## New\n\nx\n\n'.length)
})

test('written as BEIR it reads back equal, groups of spans included', async () => {
  const at = folder()
  const set = await load(at)
  writeBeir(set, join(at, 'beir'))
  const again = await loadDataset({ name: 'beir', params: { path: 'beir' } }, at)
  expect(again.groups).toEqual(set.groups)
  expect(again.hash).toBe(set.hash)
})

test('what cannot be read is told under its own name', async () => {
  const at = temporaryFolder({ 'notes/a.md': 'text' })
  await expect(load(at)).rejects.toThrow(`${join(at, 'questions.jsonl')}: there is no such file`)
})

test('rows of one question share its category and its id, or the lines are named', async () => {
  const tabled = (table: string) =>
    loadDataset(
      { name: 'folder', params: { path: 'notes', questions: 'q.csv' } },
      temporaryFolder({ 'notes/lomm.md': BOOK, 'notes/tarn.md': 'Tarn lies inland.\n', 'q.csv': table }),
    )
  await expect(
    tabled('id,question,file,category\n1,Where?,lomm.md,\n1,,tarn.md,fact\n1,,lomm.md,place\n'),
  ).rejects.toThrow(
    'q.csv:4: has "place" in the column "category" for question "1", and line 3 has "fact"; the rows of a question share one',
  )
  // A column `type` may describe the gold of each row.
  const typed = await tabled('question,file,type\nWhere?,lomm.md,text\nWhere?,tarn.md,table\n')
  expect(typed.queries.map(({ category }) => category)).toEqual(['text'])
  expect(typed.notices.join()).toContain('the column "type" differs within a question in 1 row')
  // A row may leave the category out, the first one too.
  const later = await tabled('question,file,category\nWhere?,lomm.md,\nWhere?,tarn.md,fact\nWhere?,,\n')
  expect(later.queries.map(({ category }) => category)).toEqual(['fact'])
  await expect(tabled('id,question,file\n1,Where?,lomm.md\n,Where?,tarn.md\n')).rejects.toThrow(
    'q.csv:3: has no id, and line 2 asks the same question as "1"; write the id in each of its rows',
  )
  await expect(
    tabled('id,question,file\n,Where?,lomm.md\n2,Who?,lomm.md\n1,Where?,tarn.md\n'),
  ).rejects.toThrow(
    'q.csv:4: asks as "1" the question of line 2, which has no id; write the id in each of its rows',
  )
  // An id that is another question's text names its own question.
  const named = await tabled('id,question,file\n,Where?,lomm.md\nWhere?,Who?,tarn.md\n')
  expect(named.queries.map(({ id, text }) => [id, text])).toEqual([
    ['Where?', 'Who?'],
    ['q1', 'Where?'],
  ])
})

test('a table of questions: whole pages as spreadsheets write them, all answers of a question, one text for one id', async () => {
  const tabled = (table: string) =>
    loadDataset(
      { name: 'folder', params: { path: 'notes', questions: 'q.csv' } },
      temporaryFolder({ 'notes/lomm.md': BOOK, 'notes/tarn.md': 'Tarn lies inland.\n', 'q.csv': table }),
    )
  const set = await tabled(
    'id,question,file,answer\n1,Where?,lomm.md,inland\n1,Where?,tarn.md,at the strait\n',
  )
  expect(set.queries.map(({ answers }) => answers)).toEqual([['inland', 'at the strait']])
  expect(set.notices).toContainEqual(
    expect.stringMatching(/^q\.csv: .*question from `question`, file from `file`/),
  )
  const none = await tabled('question,file,answerable\nWhere?,lomm.md,TRUE\nWho rules?,,no\n')
  expect(none.queries.map(({ answerable }) => answerable)).toEqual([true, false])
  await expect(tabled('question,file,answerable\nWho rules?,,perhaps\n')).rejects.toThrow(
    'q.csv:2: answerable must be true or false, not "perhaps"',
  )
  const later = await tabled('question,file,answerable\nWho rules?,,\nWho rules?,,no\n')
  expect(later.queries.map(({ answerable }) => answerable)).toEqual([false])
  await expect(tabled('id,question,file,answerable\n1,Where?,lomm.md,yes\n1,,,no\n')).rejects.toThrow(
    'q.csv:3: has "false" in the column "answerable" for question "1", and line 2 has "true"; the rows of a question share one',
  )
  await expect(tabled('question,file\nWhere?,lomm.md\n,tarn.md\n,\n')).rejects.toThrow(
    'q.csv:3: has gold and no question; write the question, or its id, in each of its rows',
  )
  await expect(tabled('id,question,file\n1,Where?,lomm.md\n1,Whence?,tarn.md\n')).rejects.toThrow(
    'q.csv:3: has another text for question "1" than line 2',
  )
  await expect(tabled('question,file,page\nWhere?,lomm.md,2.0\n')).rejects.toThrow('lomm.md has no pages')
  await expect(tabled('question,file,page\nWhere?,lomm.md,2.5\n')).rejects.toThrow(
    'q.csv:2: the page "2.5" is not a whole number',
  )
  // The header alone is wrong: that no question was read goes without saying.
  const ambiguous = tabled('question,path,source\nWhere?,lomm.md,tarn.md\n')
  await expect(ambiguous).rejects.toThrow('q.csv:1: the file can be `path` or `source`')
  await expect(ambiguous).rejects.not.toThrow('holds no question')
})

test('a table of questions: the columns of ragas', async () => {
  const set = await loadDataset(
    { name: 'folder', params: { path: 'notes', questions: 'q.csv' } },
    temporaryFolder({
      'notes/lomm.md': 'Lomm lies at the strait.\n',
      'q.csv':
        'user_input,reference_contexts,reference,synthesizer_name\nWhere?,"[\'Lomm lies at the strait.\']",At the strait,single_hop\n',
    }),
  )
  expect(set.queries).toMatchObject([{ answers: ['At the strait'], category: 'single_hop' }])
  expect(set.notices.join('\n')).toContain('answer from `reference`, category from `synthesizer_name`')
  expect(set.notices.join('\n')).not.toContain('columns not read')
})

test('gold names a row of a table by its key, if only one row has it', async () => {
  const asked = (files: Readonly<Record<string, string>>) =>
    loadDataset(
      { name: 'folder', params: { path: 'notes', questions: 'q.csv' } },
      temporaryFolder({
        'notes/a.csv': 'id,text\n7,Salt.\n8,Ships.\n',
        'q.csv': 'question,doc_id\nWhat?,8\n',
        ...files,
      }),
    )
  const { spans } = await asked({})
  expect([...spans.values()].flat().map(({ documentId }) => documentId)).toEqual(['a.csv#8'])
  await expect(asked({ 'notes/b.csv': 'id,text\n8,Nets.\n' })).rejects.toThrow(
    'q.csv:2: gold names the file "8", which the folder does not hold',
  )
})
