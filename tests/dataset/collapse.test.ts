import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkDocuments } from '../../src/corpus/chunks/chunk.ts'
import { documentRows, overlaps, spanRows } from '../../src/dataset/collapse.ts'
import { collapseSpans } from '../collapse-spans.ts'

const documents = ['a', 'b', 'c'].map((id) => ({
  id,
  title: '',
  text: 'One two. Three four. Five six. Seven eight.',
  metadata: {},
}))
const chunks = chunkDocuments(documents, { name: 'sentences', params: { size: 8 } })

test('a chunk row leads to its document row', () => {
  expect([...documentRows(chunks, documents)].map((row) => documents[row].id)).toEqual(
    chunks.map(({ documentId }) => documentId),
  )
  expect(() => documentRows(chunks, documents.slice(1))).toThrow('which is not in the corpus')
})

test('a document scores its best chunk; equal scores: higher row first', () => {
  const ranking = { rows: Uint32Array.of(4, 1, 5, 0, 2), scores: Float64Array.of(3, 2, 2, 1, 1) }
  const { rows, scores } = collapseSpans(ranking, Uint32Array.of(0, 0, 1, 1, 1, 2))
  expect([...rows]).toEqual([1, 2, 0])
  expect([...scores]).toEqual([3, 2, 2])
})

test('collapsing agrees with grouping and sorting', () => {
  const row = fc.record({ unit: fc.nat(5), score: fc.integer({ min: 0, max: 4 }) })
  fc.assert(
    fc.property(fc.array(row), (items) => {
      const order = items.map((_, at) => at).sort((a, b) => items[b].score - items[a].score || b - a)
      const ranking = {
        rows: Uint32Array.from(order),
        scores: Float64Array.from(order, (at) => items[at].score),
      }
      const { rows, scores } = collapseSpans(
        ranking,
        Uint32Array.from(items, ({ unit }) => unit),
      )
      const units = [...new Set(items.map(({ unit }) => unit))]
      const best = (unit: number) =>
        Math.max(...items.filter((item) => item.unit === unit).map(({ score }) => score))
      units.sort((a, b) => best(b) - best(a) || b - a)
      expect([...rows]).toEqual(units)
      expect([...scores]).toEqual(units.map(best))
    }),
  )
})

test('a span is found by every chunk that holds one of its characters', () => {
  const span = { documentId: 'b', start: 5, end: 12 }
  const [rows] = spanRows([span], chunks)
  expect([...rows]).toEqual(chunks.flatMap((chunk, place) => (overlaps(chunk, span) ? [place] : [])))
  expect(rows.length).toBeGreaterThan(0)
  const { start, end } = chunks[rows[0]]
  expect(overlaps({ documentId: 'b', start, end }, { documentId: 'b', start: end, end: end + 1 })).toBe(false)
  expect(overlaps({ documentId: 'a', start, end }, span)).toBe(false)
})
