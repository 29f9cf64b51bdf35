import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { rowsOf, sortOf } from '../../../src/report/browser/board-rows.ts'
import { natural } from '../../../src/report/browser/natural.ts'
import { literal, wholeWords } from '../../../src/report/browser/patterns.ts'
import type { Trials } from '../../../src/report/browser/types.d.ts'
import type { BoardData, BoardRow } from '../../../src/report/detail/board-data.ts'
import { openPage } from './page.ts'

test('names are ordered as people count', () => {
  expect(['q10', 'q2', 'Q1', 'q1b', 'a'].sort(natural)).toEqual(['a', 'Q1', 'q1b', 'q2', 'q10'])
})

test('patterns match whole words, and texts as they are', () => {
  const found = (alternatives: string, text: string) =>
    [...text.matchAll(wholeWords(alternatives))].map(String)
  expect(found('ada|mill', 'ADA, Canada; a mill, mills, the_mill')).toEqual(['ADA', 'mill', 'mill'])
  expect(found('öl', 'Öl, Möl, öl2')).toEqual(['Öl'])
  const odd = 'a.b*c+?^${}()|[x]\\'
  expect(new RegExp(`^${literal(odd)}$`).test(odd)).toBe(true)
  expect(new RegExp(`^${literal('a.b')}$`).test('axb')).toBe(false)
})

describe('rows of the leaderboard', () => {
  const row = (name: string, strategy: string, mean: number | null, values: (number | null)[] = []) =>
    ({
      id: name,
      name,
      strategy,
      mean,
      values,
      difference: mean === null ? null : { value: -mean },
    }) as unknown as BoardRow
  const data = {
    tuned: true,
    ranked: [
      row('Naive search', 'naive', 0.5, [10, 1]),
      row('Hybrid', 'hybrid', 0.7, [9, null]),
      row('BM25', 'bm25', null, [11, 2]),
    ],
    seen: [
      row('hybrid-10', 'hybrid', 0.6),
      row('hybrid-9', 'hybrid', 0.4),
      row('naive-1', 'naive', 0.5),
      row('naive-2 deep', 'naive', 0.3),
    ],
  } as unknown as BoardData
  const shown = ({ text = '', strategy = '', sort = '', open = [] as string[], pinned = [] as string[] }) =>
    rowsOf(data, text, strategy, sort, open, pinned).map(({ row, below }) => `${below ? '-' : ''}${row.name}`)
  const ALL = ['Naive search', 'Hybrid', 'BM25']

  test('keep their order, each with the number of trials below it', () => {
    expect(
      rowsOf(data, '', '', '', [], []).map(({ row, below, trials }) => [row.name, below, trials]),
    ).toEqual([
      ['Naive search', false, 2],
      ['Hybrid', false, 2],
      ['BM25', false, 0],
    ])
    expect(rowsOf({ ...data, tuned: false }, '', '', '', ['naive'], [])[0].trials).toBe(0)
  })

  test.each([
    ['name', ['BM25', 'Hybrid', 'Naive search']],
    ['-name', ['Naive search', 'Hybrid', 'BM25']],
    // A row without a value is last in both directions.
    ['mean', ['Naive search', 'Hybrid', 'BM25']],
    ['-mean', ['Hybrid', 'Naive search', 'BM25']],
    ['difference', ['Hybrid', 'Naive search', 'BM25']],
    ['-difference', ['Naive search', 'Hybrid', 'BM25']],
    ['0', ['Hybrid', 'Naive search', 'BM25']],
    ['-0', ['BM25', 'Naive search', 'Hybrid']],
    ['1', ['Naive search', 'BM25', 'Hybrid']],
    ['-1', ['BM25', 'Naive search', 'Hybrid']],
    // No such column.
    ['7', ALL],
  ])('are sorted by %s', (sort, names) => {
    expect(shown({ sort })).toEqual(names)
  })

  test('an open strategy shows its trials, in the same order', () => {
    expect(shown({ open: ['hybrid'] })).toEqual(['Naive search', 'Hybrid', '-hybrid-10', '-hybrid-9', 'BM25'])
    expect(shown({ open: ['hybrid'], sort: 'name' })).toEqual([
      'BM25',
      'Hybrid',
      '-hybrid-9',
      '-hybrid-10',
      'Naive search',
    ])
  })

  test('are searched by words of name and strategy; a trial that fits opens its strategy', () => {
    expect(shown({ text: 'NAIVE search' })).toEqual(['Naive search'])
    expect(shown({ text: ' deep  naive ' })).toEqual(['Naive search', '-naive-2 deep'])
    expect(shown({ text: 'none' })).toEqual([])
    expect(shown({ strategy: 'bm25' })).toEqual(['BM25'])
    expect(shown({ strategy: 'hybrid' })).toEqual(['Hybrid'])
    expect(shown({ strategy: 'naive', text: 'deep', open: ['naive'] })).toEqual([
      'Naive search',
      '-naive-2 deep',
    ])
    expect(shown({ strategy: 'hybrid', open: ['naive'] })).toEqual(['Hybrid'])
  })

  test('pinned ones come first', () => {
    expect(shown({ pinned: ['BM25'] })).toEqual(['BM25', 'Naive search', 'Hybrid'])
    expect(shown({ pinned: ['hybrid-9'], open: ['hybrid'], sort: '-mean' })).toEqual([
      '-hybrid-9',
      'Hybrid',
      '-hybrid-10',
      'Naive search',
      'BM25',
    ])
  })

  test('a sort is a column and a direction', () => {
    expect([sortOf('-mean'), sortOf('mean'), sortOf('')]).toEqual([
      ['mean', -1],
      ['mean', 1],
      ['', 1],
    ])
  })
})

describe('cells of a grid', () => {
  let heat: typeof import('../../../src/report/browser/heat-rows.ts')
  beforeAll(async () => {
    await openPage()
    heat = await import('../../../src/report/browser/heat-rows.ts')
  })
  afterAll(() => {
    vi.unstubAllGlobals()
  })

  const trials = (rows: readonly (readonly [varied: object, mean: number | null, strategy?: string])[]) =>
    ({
      strategy: rows.map(([, , strategy = 'hybrid']) => strategy),
      varied: rows.map(([varied]) => varied),
      means: { 'recall@5': rows.map(([, mean]) => mean), hits: rows.map(([, mean]) => mean) },
    }) as unknown as Trials
  const drawn = (...given: Parameters<typeof heat.heatRows>) =>
    heat.heatRows(...given).map(({ x, y, n, text, step }) => [x, y, n, text, step])

  test('hold the mean of their trials, by a step of nine between the lowest and the highest', () => {
    const all = trials([
      [{ pool: 20, norm: 'minmax' }, 0.1],
      [{ pool: 5, norm: 'minmax' }, 0.3],
      [{ pool: 5, norm: 'minmax' }, 0.5],
      [{ pool: 100, norm: 'minmax' }, 1],
      [{ pool: 5 }, 0.19],
      [{ pool: 20 }, null],
      [{ pool: 7, norm: 'minmax' }, 0.9, 'naive'],
    ])
    expect(drawn(all, 'hybrid', 'pool', 'norm', 'recall@5')).toEqual([
      ['5', 'default', 1, '19.0', 0],
      ['5', 'minmax', 2, '40.0', 3],
      ['20', 'minmax', 1, '10.0', 0],
      ['100', 'minmax', 1, '100.0', 8],
    ])
    // One param is drawn in one row.
    for (const y of ['', 'pool'])
      expect(drawn(all, 'hybrid', 'pool', y, 'recall@5').map(([x, y]) => [x, y])).toEqual([
        ['5', 'hybrid'],
        ['20', 'hybrid'],
        ['100', 'hybrid'],
      ])
  })

  test('are in the middle where all are equal', () => {
    const all = trials([
      [{ pool: 5 }, 0.4],
      [{ pool: 10 }, 0.4],
    ])
    expect(drawn(all, 'hybrid', 'pool', '', 'recall@5').map(([, , , , step]) => step)).toEqual([4, 4])
  })

  test('are in the order of numbers, or of texts', () => {
    const all = trials([
      [{ norm: 'z' }, 1],
      [{ norm: [2] }, 1],
      [{ norm: 'a' }, 1],
      [{ norm: true }, 1],
    ])
    expect(drawn(all, 'hybrid', 'norm', '', 'hits').map(([x]) => x)).toEqual(['[2]', 'a', 'true', 'z'])
  })

  test('show a share in percent, and a count as it is', () => {
    expect(heat.meanText('recall@5', 0.12345)).toBe('12.3')
    expect(['1.26', '99.96', '100.4', '12345.6'].map((mean) => heat.meanText('hits', Number(mean)))).toEqual([
      '1.3',
      '100',
      '100',
      '12,346',
    ])
  })
})
