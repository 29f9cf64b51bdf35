import { expect, test } from 'vitest'
import { shardsOf } from '../../../src/experiment/plan/shards.ts'

const shards = (queries: number, shardSize: number) =>
  shardsOf({ queries, shardSize }).map(({ begin, end }) => [begin, end])

test('a shard holds as many queries as it may, and the last one the rest', () => {
  expect(shards(70, 32)).toEqual([
    [0, 32],
    [32, 64],
    [64, 70],
  ])
  expect(shards(64, 32)).toEqual([
    [0, 32],
    [32, 64],
  ])
  expect(shards(1, 32)).toEqual([[0, 1]])
  expect(shards(0, 32)).toEqual([])
})
