import { expect, test } from 'vitest'
import { frontOf, type ParetoPoint } from '../../src/report/charts/pareto.ts'

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
