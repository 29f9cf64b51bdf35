import { expect, test } from 'vitest'
import { frontOf, type ParetoPoint, paretoRows } from '../../src/report/charts/pareto.ts'

const candidate = (x: number, y: number, chosen = false): ParetoPoint => ({
  name: `${x} ${y}`,
  strategy: `strategy ${x}`,
  x,
  y,
  low: y - 0.1,
  high: y + 0.1,
  chosen,
})

test('the front is by x, of equal x the best, and what gains nothing is not on it', () => {
  const all = [candidate(2, 0.5), candidate(1, 0.3), candidate(1, 0.4), candidate(3, 0.5), candidate(4, 0.6)]
  expect(frontOf(all).map(({ name }) => name)).toEqual(['1 0.4', '2 0.5', '4 0.6'])
})

test('only what stands for a strategy has an interval and a label', () => {
  const rows = paretoRows([
    candidate(100, 0.5, true),
    candidate(101, 0.501, true),
    candidate(200, 0.9, true),
    candidate(150, 0.2),
  ])
  expect(rows.map(({ label }) => label)).toEqual(['strategy 100', 'strategy 101', 'strategy 200', ''])
  expect(rows.map(({ side }) => side)).toEqual(['left', 'left', 'right', 'left'])
  expect(rows.map(({ low, high }) => [low, high])[3]).toEqual([0.2, 0.2])
  expect(rows.map(({ front }) => front)).toEqual([true, true, true, false])
  expect('xLow' in rows[0]).toBe(false)
  // The labels of two near points are a line apart.
  const [a, b] = rows.map(({ labelY }) => Number(labelY))
  expect(Math.abs(a - b)).toBeGreaterThan(0.03)
  const [one, other] = paretoRows([{ ...candidate(1, 0.5, true), xLow: 0.9, xHigh: 1.1 }, candidate(2, 0.4)])
  expect([one.xLow, one.xHigh, other.xLow, other.xHigh]).toEqual([0.9, 1.1, null, null])
})
