import { expect, it } from 'vitest'
import { shardsPerTask } from '../../../src/clusters/slurm/executor.ts'

const HOUR = 3_600_000

it.each([
  ['a short shard: the start is a tenth of the task', { start: 1100, shard: 130, cores: 1, limit: HOUR }, 77],
  ['a long shard is a task of its own', { start: 1100, shard: 60_000, cores: 1, limit: HOUR }, 1],
  ['each core of a task takes as many', { start: 1100, shard: 130, cores: 4, limit: HOUR }, 305],
  ['a task ends in half of its limit', { start: 60_000, shard: 20_000, cores: 1, limit: HOUR / 6 }, 15],
  [
    'a shard longer than the limit still gets a task',
    { start: 500, shard: 2 * HOUR, cores: 1, limit: HOUR },
    1,
  ],
  ['a shard of no time', { start: 500, shard: 0, cores: 1, limit: HOUR }, 4500],
])('%s', (_, times, shards) => {
  expect(shardsPerTask(times)).toBe(shards)
})
