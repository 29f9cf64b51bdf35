import type { Plan } from './plan.ts'

/** Queries that are run together: indexes in id order, from `begin` up to, not including, `end`. */
export interface Shard {
  readonly begin: number
  readonly end: number
}

/** A share of the shards for one of `count` processes, from 1: every `count`-th shard. */
export interface ShardShare {
  readonly number: number
  readonly count: number
}

/** Shards by number. They depend on the plan alone, not on the executor. */
export function shardsOf({ queries, shardSize }: Pick<Plan, 'queries' | 'shardSize'>): Shard[] {
  return Array.from({ length: Math.ceil(queries / shardSize) }, (_, shard) => {
    const begin = shard * shardSize
    return { begin, end: Math.min(begin + shardSize, queries) }
  })
}
