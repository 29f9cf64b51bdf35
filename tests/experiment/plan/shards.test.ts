import { expect, test } from 'vitest'
import type { Plan } from '../../../src/experiment/plan/plan.ts'
import { runningOrder, shardsOf } from '../../../src/experiment/plan/shards.ts'
import { raceOrder } from '../../../src/statistics/rounds.ts'
import type { JudgedQuery } from '../../../src/types.ts'

const shards = (queries: number, shardSize: number, race: object | null = null) =>
  shardsOf({ experiment: { race }, queries, shardSize } as unknown as Plan).map(({ round, begin, end }) => [
    round,
    begin,
    end,
  ])

test('a shard holds as many queries as it may, and the last one the rest', () => {
  expect(shards(70, 32)).toEqual([
    [0, 0, 32],
    [0, 32, 64],
    [0, 64, 70],
  ])
  expect(shards(64, 32)).toEqual([
    [0, 0, 32],
    [0, 32, 64],
  ])
  expect(shards(1, 32)).toEqual([[0, 0, 1]])
  expect(shards(0, 32)).toEqual([])
})

test('a round of a race has eight shards, or more of the full size', () => {
  // Rounds of 80 and 20 queries: eighths of 10 and of 2.5, which is 3.
  expect(shards(100, 32, { firstTest: 80 })).toEqual([
    ...Array.from({ length: 8 }, (_, at) => [0, 10 * at, 10 * at + 10]),
    ...Array.from({ length: 6 }, (_, at) => [1, 80 + 3 * at, 83 + 3 * at]),
    [1, 98, 100],
  ])
  expect(shards(100, 9, { firstTest: 80 }).slice(0, 10)).toEqual([
    ...Array.from({ length: 8 }, (_, at) => [0, 9 * at, 9 * at + 9]),
    [0, 72, 80],
    [1, 80, 83],
  ])
})

test('queries run by id, and in a race by chance, every block in its share', () => {
  const queries = Array.from({ length: 30 }, (_, at) => ({
    ...{ id: `q${at + 10}`, category: at % 3 === 0 ? 'hard' : 'easy', metadata: { level: at % 2 } },
  })) as unknown as JudgedQuery[]
  const ids = queries.map(({ id }) => id)
  expect([...runningOrder(null, queries)]).toEqual([...queries.keys()])
  const order = (blocks: string | null) => runningOrder({ blocks, seed: 7 } as never, queries)
  const expected = (blocks: readonly (string | null)[]) => raceOrder({ ids, blocks, seed: 7 })
  expect(order(null)).toEqual(expected(ids.map(() => null)))
  expect(order('category')).toEqual(expected(queries.map(({ category }) => category)))
  expect(order('level')).toEqual(expected(ids.map((_, at) => String(at % 2))))
  expect(order('category')).not.toEqual(order(null))
})
