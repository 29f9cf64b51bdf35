import { expect, test } from 'vitest'
import { raceOrder, roundEnds } from '../../src/statistics/rounds.ts'

test.each<[number, number, number[]]>([
  [100, 10, [10, 13, 17, 22, 28, 35, 44, 55, 69, 87, 100]],
  [100, 80, [80, 100]],
  [100, 100, [100]],
  [50, 90, [50]],
  [5, 1, [1, 2, 3, 4, 5]],
])('of %i queries, the first round of %i, the rounds end at %j', (queries, first, ends) => {
  expect(roundEnds(queries, first)).toEqual(ends)
})

const ids = Array.from({ length: 60 }, (_, query) => `q${String(query).padStart(2, '0')}`)
/** Two of three queries are easy. */
const blocks = ids.map((_, query) => (query % 3 === 0 ? 'hard' : 'easy'))
const orderOf = (seed: number, of: readonly number[] = [...ids.keys()]) =>
  Array.from(
    raceOrder({ ids: of.map((query) => ids[query]), blocks: of.map((query) => blocks[query]), seed }),
    (place) => ids[of[place]],
  )

test('an order holds every query once, by chance, and the same for a seed', () => {
  const order = orderOf(1)
  expect([...order].sort()).toEqual(ids)
  expect(order).not.toEqual(ids)
  expect(orderOf(1)).toEqual(order)
  expect(orderOf(2)).not.toEqual(order)
  // Whatever order the queries come in.
  expect(orderOf(1, [...ids.keys()].reverse())).toEqual(order)
  const firsts = new Set(Array.from({ length: 40 }, (_, seed) => orderOf(seed)[0]))
  expect(firsts.size).toBeGreaterThan(10)
})

test('every beginning of an order has its share of each block', () => {
  for (let seed = 0; seed < 10; seed++) {
    let hard = 0
    for (const [place, id] of orderOf(seed).entries()) {
      if (Number(id.slice(1)) % 3 === 0) hard++
      expect(Math.abs(hard - (place + 1) / 3)).toBeLessThanOrEqual(1)
    }
  }
})
