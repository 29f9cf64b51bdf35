import { expect, test } from 'vitest'
import { percentiles } from '../../src/statistics/intervals.ts'

const upTo = (n: number) => Array.from({ length: n }, (_, place) => n - place)

test('the nearest rank, whatever the order', () => {
  expect(percentiles(upTo(50), [0.5, 0.95, 0.99], 0.05).map(({ value }) => value)).toEqual([25, 48, 50])
  expect(percentiles([7], [0.5], 0.05)).toEqual([{ value: 7, low: null, high: null }])
  expect(() => percentiles([], [0.5], 0.05)).toThrow('at least one value')
})

// The binomial's tables: conservative 95 % intervals by order statistics.
test.each([
  [6, 0.5, 1, 6],
  [5, 0.5, null, null],
  [20, 0.5, 6, 15],
  [50, 0.5, 18, 33],
  [100, 0.5, 40, 61],
  [20, 0.95, 17, null],
  [71, 0.95, 63, null],
  [72, 0.95, 64, 72],
  [100, 0.95, 90, 100],
  [367, 0.99, 359, null],
  [368, 0.99, 360, 368],
])('%i values enclose the %f-percentile by ranks %s and %s', (n, q, low, high) => {
  const [percentile] = percentiles(upTo(n), [q], 0.05)
  expect([percentile.low, percentile.high]).toEqual([low, high])
})
