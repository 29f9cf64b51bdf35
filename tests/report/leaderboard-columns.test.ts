import { expect, test } from 'vitest'
import { isIn, numberColumns } from '../../src/report/leaderboard-columns.ts'

const board = (more: object = {}) =>
  ({
    one: { context: { chunks: 5 } },
    measures: ['recall@5'],
    primary: 'recall@5',
    datasets: [],
    scales: {},
    ...more,
  }) as never
const at = (value: number) => ({ value })
const ROW = {
  measures: { 'recall@5': { mean: 0.5432 } },
  datasets: [{ 'recall@5': { mean: 0.4 } }, null],
  optimism: 0.012,
  tokens: 1204.4,
  modelCalls: 1.5,
  fallbacks: 0.25,
  failed: 3,
  seeds: 3,
  latency: { p50: at(12.34), p95: at(0.5), p99: at(1240), engine: { p50: at(3) } },
} as never
const NONE = {
  measures: {},
  datasets: [null, null],
  optimism: null,
  tokens: null,
  seeds: null,
  modelCalls: null,
  fallbacks: null,
  failed: 0,
  latency: null,
} as never

/** All columns of one experiment by name. */
function columns(of = board(), digits?: number) {
  const { measure, datasets, times, ...rest } = numberColumns(of, digits)
  const [p50, p95, p99] = times
  return { ...rest, recall: measure('recall@5'), p50, p95, p99 }
}
const texts = (row: never, of = columns()) =>
  Object.fromEntries(Object.entries(of).map(([name, { text }]) => [name, text(row)]))
const values = (row: never) =>
  Object.fromEntries(Object.entries(columns()).map(([name, { value }]) => [name, value(row)]))

test('numbers of a row, and how they are shown', () => {
  expect(texts(ROW)).toEqual({
    optimism: '+1.2',
    tokens: '1,204',
    modelCalls: '1.5',
    fallbacks: '25.0 %',
    failed: '3',
    seeds: '3',
    engine: '3.00',
    recall: '54.3',
    p50: '12.3',
    p95: '0.50',
    p99: '1,240',
  })
  expect(values(ROW)).toEqual({
    optimism: 0.012,
    tokens: 1204.4,
    modelCalls: 1.5,
    fallbacks: 0.25,
    failed: 3,
    seeds: 3,
    engine: 3,
    recall: 0.5432,
    p50: 12.34,
    p95: 0.5,
    p99: 1240,
  })
  expect(columns(board(), 2).recall.text(ROW)).toBe('54.32')
})

test('a row without numbers shows none', () => {
  const { recall, ...others } = texts(NONE)
  expect(recall).toBe('–')
  expect(new Set(Object.values(others))).toEqual(new Set(['']))
  const { failed, ...rest } = values(NONE)
  expect(failed).toBe(0)
  expect(new Set(Object.values(rest))).toEqual(new Set([null]))
  const has = isIn([NONE, ROW])
  expect([has(columns().p50), isIn([NONE])(columns().p50), isIn([])(columns().failed)]).toEqual([
    true,
    false,
    false,
  ])
})

test('tokens are left out where a measure counts them', () => {
  const { tokens } = columns()
  const counted = columns(board({ measures: ['recall@5', tokens.head] }))
  expect(tokens.head).toContain('tokens')
  expect([counted.tokens.value(ROW), counted.tokens.text(ROW)]).toEqual([null, ''])
})

test('over several datasets the primary measure has a column of each', () => {
  const names = [{ name: 'towns' }, { name: 'ships' }]
  const { datasets } = numberColumns(board({ one: null, datasets: names }))
  expect(datasets.map(({ head, text, value }) => [head, text(ROW), value(ROW)])).toEqual([
    ['towns', '40.0', 0.4],
    ['ships', '–', null],
  ])
  expect(numberColumns(board({ datasets: names })).datasets).toEqual([])
})
