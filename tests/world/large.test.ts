import { expect, test } from 'vitest'
import { lines } from '../../scripts/world/write.ts'

const SIZE = { passages: 3000, queries: 200 }
const large = [...lines(11, SIZE)]
const of = (file: string) => large.filter(([name]) => name === file).map(([, line]) => line)
const corpus = of('corpus.jsonl').map(
  (line) => JSON.parse(line) as { _id: string; title: string; text: string },
)
const queries = of('queries.jsonl').map(
  (line) => JSON.parse(line) as { _id: string; text: string; metadata: { answerable?: boolean } },
)
const qrels = of('qrels/test.tsv')
  .slice(1)
  .map((line) => line.split('\t'))

test('a large world has the size asked for', () => {
  expect(corpus).toHaveLength(SIZE.passages)
  expect(queries).toHaveLength(SIZE.queries)
})

test('calls no two things by one name', () => {
  // Anecdotes and dialect notes are told once; entities have one passage a name in every block.
  expect(new Set(corpus.map(({ title }) => title)).size).toBe(corpus.length)
})

test('writes ids in the order of their bytes', () => {
  const ids = corpus.map(({ _id }) => _id)
  expect([...ids].sort()).toEqual(ids)
})

test('judges every answerable question, by passages that are there', () => {
  const ids = new Set(corpus.map(({ _id }) => _id))
  const judged = new Set(qrels.map(([query]) => query))
  for (const [, passage] of qrels) expect(ids.has(passage)).toBe(true)
  for (const { _id, metadata } of queries) expect(judged.has(_id)).toBe(metadata.answerable !== false)
})

test('is the same for the same seed', () => {
  expect([...lines(11, SIZE)]).toEqual(large)
})

test('hangs together: later passages name places of the first block', () => {
  const first = corpus.slice(0, 500).map(({ title }) => title)
  const last = corpus
    .slice(2000)
    .map(({ text }) => text)
    .join(' ')
  expect(
    first.some((title) => / (College|House|Society|Office|Hall|Room)$/.test(title) && last.includes(title)),
  ).toBe(true)
})
