import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createFilter,
  type FilteredChunk,
  type FilterFields,
  fieldsOfQuery,
  filterOf,
} from '../../src/corpus/filter.ts'
import { openStore } from '../../src/store/store.ts'
import type { Json } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'
import { documentsOf, recipeOf } from './recipes.ts'

const chunk = (metadata: Readonly<Record<string, Json>>, title = '', documentId = 'd'): FilteredChunk => ({
  documentId,
  title,
  section: ['Guide', 'Install'],
  metadata,
})
const kept = (
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
  const listOf = (found: Json | undefined) => (found === undefined ? [] : [found].flat())
  const isIn = (found: Json | undefined, wanted: readonly Json[]) =>
    listOf(found).some((own) => wanted.map(String).includes(String(own)))

  it('keeps what holds for every condition, and gives equal queries one mask', () => {
    fc.assert(
      fc.property(
        fc.array(metadata, { maxLength: 12 }),
        fc.array(value, { minLength: 1, maxLength: 3 }),
        fc.tuple(fc.nat(5), fc.nat(5)),
        fc.array(metadata, { minLength: 1, maxLength: 4 }),
        (rows, x, [from, to], queries) => {
          const filter = createFilter(
            rows.map((own) => chunk(own)),
            { x, y: { from, to }, z: { query: 'z' } },
          )
          for (const query of queries) {
            const expected = rows.flatMap((own, row) =>
              isIn(own.x, x) &&
              listOf(own.y).some((point) => typeof point === 'number' && from <= point && point <= to) &&
              isIn(own.z, listOf(query.z))
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
    expect(kept(dates, { date: { from: '2024-02', to: '2024-02' } })).toEqual([1, 2])
    expect(kept(dates, { date: { to: '2024-02-29' } })).toEqual([0, 1, 2])
    expect(kept(dates, { date: { to: { query: 'asked' } } }, { asked: '2024-01-31T08:00' })).toEqual([0])
    expect(kept(dates, { date: { from: { query: 'asked' } } }, { asked: 5 })).toEqual([5])
    expect(kept(dates, { date: { from: { query: 'asked' } } }, {})).toEqual([])
    expect(kept(dates, { date: { from: '2024-01', to: { query: 'asked' } } }, { asked: 9 })).toEqual([])
  })

  it('knows source, title and section where the metadata have none of that name', () => {
    const chunks = [chunk({}, 'A', 'one'), chunk({ source: 'faq', title: 'B' }, 'A', 'two')]
    expect(kept(chunks, { source: 'one' })).toEqual([0])
    expect(kept(chunks, { source: 'two' })).toEqual([])
    expect(kept(chunks, { source: ['faq', 'one'], section: 'Install' })).toEqual([0, 1])
    expect(kept(chunks, { title: 'A' })).toEqual([0])
    expect(kept(chunks, { constructor: 'one' })).toEqual([])
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
    expect(kept(chunks, { file_type: ['.sql', '.py'] })).toEqual([0])
    expect(kept(chunks, { file_type: '.md' })).toEqual([1])
    expect(kept(chunks, { file_type: 'report' })).toEqual([5])
  })

  it('says what it reads of a query', () => {
    expect(
      fieldsOfQuery({ a: 'x', b: { query: 'q' }, c: { from: { query: 'r' }, to: { query: 'q' } } }),
    ).toEqual(['q', 'r'])
  })

  it('refuses a field that no chunk has, and a range of what none is', async () => {
    const documents = documentsOf(['one', 'two']).map((document, i) => ({
      ...document,
      metadata: { date: i === 0 ? '2024-05-01' : 'May', year: 2024 },
    }))
    const store = openStore(temporaryFolder())
    const open = async (where: FilterFields) => {
      const filter = filterOf(recipeOf(documents), where)
      await store.prepare(filter)
      return (await store.open(filter))({}).rows.length
    }
    await expect(open({ dat: '2024-05-01', titel: 'x' })).rejects.toThrow(
      '`filter.where.dat`: no chunk has the field `dat` (did you mean "date"?); there are date, source, year\n`filter.where.titel`: no chunk has the field `titel`; there are',
    )
    await expect(open({ date: { from: 3 } })).rejects.toThrow(
      '`filter.where.date` is a range of numbers, and no chunk has a number in `date`; one has `2024-05-01`',
    )
    await expect(open({ year: { from: '2024-01' } })).rejects.toThrow('is a range of dates')
    expect(await open({ date: { from: '2024-05' }, source: { query: 'q' } })).toBe(0)
    expect(await open({ date: ['May', 'June'] })).toBe(1)
  })

  it('refuses a number where the corpus has it as a text in another spelling', async () => {
    const documents = documentsOf(['one', 'two']).map((document, at) => ({
      ...document,
      metadata: { version: ['1.1', '1.10'][at], code: ['007', '7'][at], year: ['2024', 2024][at] },
    }))
    const store = openStore(temporaryFolder())
    const open = async (where: FilterFields) => {
      const filter = filterOf(recipeOf(documents), where)
      await store.prepare(filter)
      return (await store.open(filter))({}).rows.length
    }
    await expect(open({ version: 1.1 })).rejects.toThrow(
      '`filter.where.version` is the number 1.1, and a chunk has the text `1.10` in `version`, which would be left out; quote the value as the corpus writes it',
    )
    await expect(open({ code: [8, 7] })).rejects.toThrow('a chunk has the text `007` in `code`')
    expect([await open({ version: '1.10' }), await open({ code: '7' }), await open({ year: 2024 })]).toEqual([
      1, 1, 2,
    ])
  })

  it('refuses a range over values that some chunks write in another form', async () => {
    const open = async (values: readonly Json[], from: string | number) => {
      const documents = documentsOf(values.map((_, at) => `text ${at}`)).map((document, at) => ({
        ...document,
        metadata: { value: values[at] },
      }))
      const store = openStore(temporaryFolder())
      const filter = filterOf(recipeOf(documents), { value: { from } })
      await store.prepare(filter)
      return (await store.open(filter))({}).rows.length
    }
    await expect(open(['2024-05-01', '05.06.2024'], '2024-05')).rejects.toThrow(
      '`filter.where.value` is a range of dates, and a chunk has `05.06.2024` in `value`, which is none and would be left out; write dates as 2024-05-01',
    )
    await expect(open([1.5, '2,5'], 1)).rejects.toThrow('a chunk has `2,5` in `value`, which is none')
    // A word is no value in another form.
    expect(await open(['2024-05-01', 'unknown'], '2024-05')).toBe(1)
    expect(await open([1.5, '2.5', null], 2)).toBe(1)
  })
})

it('queries that share only the first of several values have masks of their own', () => {
  const chunks = ['en', 'de', 'fr'].map((lang) => chunk({ lang, year: 1 }))
  const filter = createFilter(chunks, { lang: { query: 'lang' }, year: { from: { query: 'since' } } })
  const rows = (lang: Json, since: Json = 0) => [...filter({ lang, since }).rows]
  expect(rows('en')).toEqual([0])
  expect(rows(['en', 'de'])).toEqual([0, 1])
  expect(rows(['en', 'fr'])).toEqual([0, 2])
  expect(rows(['en', 'fr'], 2)).toEqual([])
  expect(rows(['en', 'fr'], 1)).toEqual([0, 2])
})
