import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFilter, type FilteredChunk, type FilterFields } from '../../src/corpus/filter.ts'
import type { Json } from '../../src/types.ts'

const chunk = (metadata: Readonly<Record<string, Json>>, title = '', documentId = 'd'): FilteredChunk => ({
  documentId,
  title,
  section: ['Guide', 'Install'],
  metadata,
})
const rowsOf = (
  chunks: readonly FilteredChunk[],
  where: FilterFields,
  query: Readonly<Record<string, Json>> = {},
) => [...createFilter(chunks, where)(query).rows]

describe('a filter', () => {
  const value = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 5 }), fc.boolean())
  const metadata = fc.dictionary(
    fc.constantFrom('x', 'y', 'z'),
    fc.oneof(value, fc.array(value, { maxLength: 3 })),
  )
  const listOf = (value: Json | undefined) => (value === undefined ? [] : [value].flat())
  const isIn = (value: Json | undefined, wanted: readonly Json[]) =>
    listOf(value).some((item) => wanted.map(String).includes(String(item)))

  it('keeps what holds for every condition, and gives equal queries one mask', () => {
    fc.assert(
      fc.property(
        fc.array(metadata, { maxLength: 12 }),
        fc.array(value, { minLength: 1, maxLength: 3 }),
        fc.tuple(fc.nat(5), fc.nat(5)),
        fc.array(metadata, { minLength: 1, maxLength: 4 }),
        (rows, x, [from, to], queries) => {
          const filter = createFilter(
            rows.map((fields) => chunk(fields)),
            { x, y: { from, to }, z: { query: 'z' } },
          )
          for (const query of queries) {
            const expected = rows.flatMap((fields, row) =>
              isIn(fields.x, x) &&
              listOf(fields.y).some((point) => typeof point === 'number' && from <= point && point <= to) &&
              isIn(fields.z, listOf(query.z))
                ? [row]
                : [],
            )
            const mask = filter(query)
            expect([...mask.rows]).toEqual(expected)
            expect([...mask.kept.keys()].filter((row) => mask.kept[row] === 1)).toEqual(expected)
            expect(filter({ ...query })).toBe(mask)
          }
        },
      ),
    )
  })

  it('compares dates by what they mean, both ends in', () => {
    const dates = ['2024-01-31', '2024-02-01', '2024-02-29T23:30', '2024-03-01', 'soon', 7].map((date) =>
      chunk({ date }),
    )
    expect(rowsOf(dates, { date: { from: '2024-02', to: '2024-02' } })).toEqual([1, 2])
    expect(rowsOf(dates, { date: { to: '2024-02-29' } })).toEqual([0, 1, 2])
    expect(rowsOf(dates, { date: { to: { query: 'asked' } } }, { asked: '2024-01-31T08:00' })).toEqual([0])
    expect(rowsOf(dates, { date: { from: { query: 'asked' } } }, { asked: 5 })).toEqual([5])
    expect(rowsOf(dates, { date: { from: { query: 'asked' } } }, {})).toEqual([])
    expect(rowsOf(dates, { date: { from: '2024-01', to: { query: 'asked' } } }, { asked: 9 })).toEqual([])
  })

  it('knows the type of a file by its path', () => {
    const paths: Readonly<Record<string, Json>>[] = [
      { path: 'src/load.SQL' },
      { path: 'a.b/notes.md' },
      { path: 'Makefile' },
      { path: 7 },
      {},
    ]
    const chunks = [...paths, { path: 'x.sql', file_type: 'report' }].map((metadata) => chunk(metadata))
    expect(rowsOf(chunks, { file_type: ['.sql', '.py'] })).toEqual([0])
    expect(rowsOf(chunks, { file_type: '.md' })).toEqual([1])
    expect(rowsOf(chunks, { file_type: 'report' })).toEqual([5])
  })
})
