import type { Race } from '../../config/experiment.ts'
import { fieldOf } from '../../dataset/clusters.ts'
import { raceOrder, roundEnds } from '../../statistics/rounds.ts'
import type { JudgedQuery } from '../../types.ts'
import type { Plan } from './plan.ts'

/** Queries that are run together: positions in the running order, from `begin` up to, not including, `end`. */
export interface Shard {
  /** All shards of a round finish before the next round begins; without a race there is one round. */
  readonly round: number
  readonly begin: number
  readonly end: number
}

/** Minimum number of shards per round of a race, if it has enough queries: the round ends with its slowest shard. */
const SHARDS_OF_ROUND = 8

/** Shards by number. They depend on the plan alone, not on the executor. */
export function shardsOf({ experiment, queries, shardSize }: Plan): Shard[] {
  const { race } = experiment
  const ends = race ? roundEnds(queries, race.firstTest) : [queries]
  return ends.flatMap((end, round) => {
    const start = round === 0 ? 0 : ends[round - 1]
    const size = race ? Math.min(shardSize, Math.ceil((end - start) / SHARDS_OF_ROUND)) : shardSize
    return Array.from({ length: Math.ceil((end - start) / size) }, (_, index): Shard => {
      const begin = start + index * size
      return { round, begin, end: Math.min(begin + size, end) }
    })
  })
}

/** Indexes of the queries (in id order) in running order. */
export function runningOrder(race: Race | null, queries: readonly JudgedQuery[]): Int32Array {
  if (!race) return Int32Array.from(queries.keys())
  const { blocks, seed } = race
  return raceOrder({
    ids: queries.map(({ id }) => id),
    blocks: queries.map((query) => (blocks === null ? null : fieldOf(query, blocks))),
    seed,
  })
}
