import { describe, expect, test } from 'vitest'
import type { Board, BoardRow } from '../../../src/report/board.ts'
import { rowsOf } from '../../../src/report/browser/board-rows.ts'
import { literal, wholeWords } from '../../../src/report/marks.tsx'

test('patterns match whole words, and texts as they are', () => {
  const found = (alternatives: string, text: string) =>
    [...text.matchAll(wholeWords(alternatives))].map(String)
  expect(found('ada|mill', 'ADA, Canada; a mill, mills, the_mill')).toEqual(['ADA', 'mill', 'mill'])
  expect(found('öl', 'Öl, Möl, öl2')).toEqual(['Öl'])
  const odd = 'a.b*c+?^${}()|[x]\\'
  expect(new RegExp(`^${literal(odd)}$`).test(odd)).toBe(true)
  expect(new RegExp(`^${literal('a.b')}$`).test('axb')).toBe(false)
})

/** Columns of rows that hold their values in an array. */
const COLUMNS = [0, 1, 2].map((at) => ({
  format: 'percent',
  value: ({ values }: { readonly values: readonly (number | null)[] }) => values[at] ?? null,
}))

describe('rows of the leaderboard', () => {
  const NAMES = ['naive', 'hybrid', 'bm25']
  const row = (name: string, strategy: string, mean: number | null, values: (number | null)[] = []) =>
    ({ id: name, name, strategy, values: [mean, ...values] }) as unknown as BoardRow
  const data = {
    strategies: NAMES,
    columns: COLUMNS,
    isTuned: true,
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
    answered: [],
  } as unknown as Board
  const shown = ({ text = '', strategy = '', sort = '', open = [] as string[], pinned = [] as string[] }) =>
    rowsOf(data, { text, strategy, sort, open: open.map((name) => String(NAMES.indexOf(name))), pinned }).map(
      ({ row, isBelow }) => `${isBelow ? '-' : ''}${row.name}`,
    )
  const NOTHING = { text: '', strategy: '', sort: '', open: [], pinned: [] }
  const ALL = ['Naive search', 'Hybrid', 'BM25']

  test('answers are below their trial, and among all rows once these are sorted', () => {
    const trial = { ...row('Naive search', 'naive', 0.5), kind: 'trial', trial: 0 }
    const answers = { ...row('Naive search + llm', 'naive', 0.5, [12]), kind: 'answer', trial: 0 }
    const closed = { ...row('closed-book', '', null, [9]), kind: 'answer', trial: -1 }
    const board = { ...data, isTuned: false, ranked: [trial], seen: [], answered: [closed, answers] }
    const names = (sort: string) =>
      rowsOf(board as never, { ...NOTHING, sort }).map(
        ({ row, isBelow }) => `${isBelow ? '-' : ''}${row.name}`,
      )
    expect(names('')).toEqual(['Naive search', '-Naive search + llm', 'closed-book'])
    expect(names('-1')).toEqual(['Naive search + llm', 'closed-book', 'Naive search'])
  })

  test.each([
    ['name', ['BM25', 'Hybrid', 'Naive search']],
    ['-name', ['Naive search', 'Hybrid', 'BM25']],
    // A row without a value is last in both directions.
    ['0', ['Naive search', 'Hybrid', 'BM25']],
    ['-0', ['Hybrid', 'Naive search', 'BM25']],
    ['1', ['Hybrid', 'Naive search', 'BM25']],
    ['-1', ['BM25', 'Naive search', 'Hybrid']],
    ['2', ['Naive search', 'BM25', 'Hybrid']],
    ['-2', ['BM25', 'Naive search', 'Hybrid']],
    // No such column.
    ['7', ALL],
  ])('are sorted by %s', (sort, names) => {
    expect(shown({ sort })).toEqual(names)
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
})
