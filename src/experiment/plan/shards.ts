import type { Race } from '../../config/experiment.ts'
import { fieldOf } from '../../dataset/clusters.ts'
import { raceOrder, roundEnds } from '../../statistics/rounds.ts'
import type { JudgedQuery } from '../../types.ts'
import type { Plan } from './plan.ts'

/** A few queries that are run together: places in the running order, from `begin` up to, not including, `end`. */
export interface Shard {
  /** All shards of a round are run before the next round begins; without a race there is one round. */
  readonly round: number
  readonly begin: number
  readonly end: number
}

/** A race's round is cut into as many shards at least, where it has the queries: its end waits for the slowest. */
const SHARDS_OF_ROUND = 8

/** By number. They follow from the plan alone, never from who runs them. */
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

/** The queries in the order in which they run, as places in the order of their ids. */
export function runningOrder(race: Race | null, queries: readonly JudgedQuery[]): Int32Array {
  if (!race) return Int32Array.from(queries.keys())
  const { blocks, seed } = race
  return raceOrder({
    ids: queries.map(({ id }) => id),
    blocks: queries.map((query) => (blocks === null ? null : fieldOf(query, blocks))),
    seed,
  })
}
