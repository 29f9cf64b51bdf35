import type { Plan } from './plan.ts'

/** Indexes of queries in id order; `end` excluded. */
export interface Shard {
  readonly begin: number
  readonly end: number
}

/** Every `count`-th shard, `number` from 1. */
export interface ShardShare {
  readonly number: number
  readonly count: number
}

export function shardsOf({ queries, shardSize }: Pick<Plan, 'queries' | 'shardSize'>): Shard[] {
  return Array.from({ length: Math.ceil(queries / shardSize) }, (_, shard) => {
    const begin = shard * shardSize
    return { begin, end: Math.min(begin + shardSize, queries) }
  })
}
