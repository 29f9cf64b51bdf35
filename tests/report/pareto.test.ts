import { expect, test } from 'vitest'
import {
  frontOf,
  type ParetoPoint,
  paretoRows,
  paretoSpec,
  placeLabels,
} from '../../src/report/charts/pareto.ts'

const candidate = (x: number, y: number, chosen = false): ParetoPoint => ({
  name: `${x} ${y}`,
  strategy: `strategy ${x}`,
  x,
  y,
  low: y - 0.1,
  high: y + 0.1,
  chosen,
})

/** The type of the horizontal axis; that of numbers is written nowhere. */
function axisOf(...xs: number[]): string {
  const rows = paretoRows(xs.map((x) => candidate(x, x / 1000)))
  const spec = paretoSpec(['a'], rows, { x: 'tokens', y: 'recall' }, ',') as unknown as {
    layer: { encoding: { x: { scale: { type?: string } } } }[]
  }
  return spec.layer[0].encoding.x.scale.type ?? 'linear'
}

test('costs that are eight times apart and more stand on a logarithmic axis, unless one is nothing', () => {
  expect(axisOf(1, 2, 8)).toBe('linear')
  expect(axisOf(8.1, 2, 1)).toBe('log')
  expect(axisOf(0, 1, 100)).toBe('linear')
  expect(axisOf(100, 0)).toBe('linear')
  expect(axisOf(5)).toBe('linear')
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

test('labels in one place stand one below another, the nearest free place first', () => {
  const at = (y: number, from = 0) => ({ y, from, to: from + 10 })
  const places = placeLabels([at(100), at(101), at(99), at(100, 20), at(0), at(2)])
  expect(places).toEqual([100, 114, 86, 100, 7, 21])
})
