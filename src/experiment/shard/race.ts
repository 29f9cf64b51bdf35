import type { Race } from '../../config/experiment.ts'
import { UserError } from '../../errors.ts'
import type { Measure } from '../../metrics/define.ts'
import { createHeat, type Heat, type HeatOf } from '../../statistics/race.ts'
import type { JudgedQuery } from '../../types.ts'
import { type CompiledTrial, trialIndex } from '../plan/compile.ts'
import type { Plan } from '../plan/plan.ts'
import { queryPartNames } from '../plan/query-parts.ts'
import type { Shard } from '../plan/shards.ts'
import { findParts, readValues } from './parts.ts'

/**
 * Running trials of a race, computed from the part files of earlier rounds, so that every process gets the same answer after
 * any interruption. With folds there is one race per fold, over the queries that choose its trial, and with a split one over
 * dev; a trial runs as long as any race keeps it. The baseline is never stopped, since others are compared with it, nor is the
 * arm of a fitted router, which learns from all of its queries.
 */
export interface Racing {
  /** Indexes of the trials that run in a round, ascending. Throws a UserError if an earlier round is incomplete. */
  running(round: number): Promise<readonly number[]>
  /** Stopped trials by index, and the survivors of each race; valid after the last round was requested. */
  outcome(): RaceOutcome
}

export interface RaceOutcome {
  readonly stopped: ReadonlyMap<number, Stop>
  /** True if the race of this tuning part (0 without tuning) kept the trial, so that it may be chosen. */
  keeps(trial: number, part: number): boolean
}

export interface Stop {
  /** Number of queries that it was run on. */
  readonly after: number
  /** Index of the leading trial when it stopped. */
  readonly leader: number
}

interface PartHeat {
  /** Tuning part that the heat chooses for. */
  readonly part: number
  /** Positions of its queries in the running order. */
  readonly places: Int32Array
  readonly heat: Heat
}

interface RacingOf {
  readonly folder: string
  readonly plan: Plan
  readonly trials: readonly CompiledTrial[]
  readonly queries: readonly JudgedQuery[]
  readonly measures: readonly Measure[]
  readonly order: Int32Array
  readonly shards: readonly Shard[]
}

export function createRacing(race: Race, of: RacingOf): Racing {
  const { folder, plan, trials, measures, order, shards } = of
  const { by, baseline: id } = plan.experiment.compare
  const { better } = (measures.find(({ name }) => name === by) as Measure).metric
  const baseline = trialIndex(trials, id)
  const arms = plan.experiment.routers.flatMap((router) =>
    router.arms.map((arm) => trialIndex(trials, arm.trial)),
  )
  const values = trials.map(() => new Float64Array(order.length).fill(Number.NaN))
  const heats = heatsOf(of, { trials: trials.length, better, level: race.level })
  const stopped = new Map<number, Stop>()
  /** Running trials by round, as far as known. */
  const known: (readonly number[])[] = [[...trials.keys()]]

  /** Reads the parts of a round and stops the trials that cannot win. */
  async function endRound(round: number): Promise<void> {
    const own = [...shards.keys()].filter((shard) => shards[shard].round === round)
    const parts = findParts(folder, plan.hash, new Set(own))
    for (const shard of own) {
      const part = parts.get(shard)
      if (!part)
        throw new UserError({
          file: folder,
          message: `round ${round + 2} of the race is of the trials that the rounds before leave, and shard ${shard} of round ${round + 1} has not been run: run shards 0 to ${own[own.length - 1]} first`,
        })
      for (const [trial, found] of await readValues(part, by)) values[trial].set(found, shards[shard].begin)
    }
    const { end } = shards[own[own.length - 1]]
    const leaders = new Map<number, number>()
    for (const { heat, places } of heats) {
      const seen = places.subarray(0, lowerBound(places, end))
      const racing = new Set(heat.racing())
      const own = values.map((row, trial) =>
        racing.has(trial) ? Float64Array.from(seen, (place) => row[place]) : row,
      )
      const { leader, out } = heat.read(own, seen.length)
      for (const trial of out) leaders.set(trial, leader)
    }
    const kept = new Set([baseline, ...arms, ...heats.flatMap(({ heat }) => heat.racing())])
    for (const trial of known[round])
      if (!kept.has(trial)) stopped.set(trial, { after: end, leader: leaders.get(trial) as number })
    known.push([...kept].sort((a, b) => a - b))
  }

  return {
    async running(round) {
      while (known.length <= round) await endRound(known.length - 1)
      return known[round]
    },
    outcome: () => ({
      stopped,
      keeps: (trial, part) =>
        trial === baseline || heats.some((own) => own.part === part && own.heat.racing().includes(trial)),
    }),
  }
}

function heatsOf({ plan, queries, order }: RacingOf, how: Omit<HeatOf, 'queries'>): PartHeat[] {
  const { tuning } = plan.experiment
  const all = Int32Array.from(order.keys())
  const heat = (part: number, places: Int32Array) => ({
    ...{ part, places, heat: createHeat({ ...how, queries: places.length }) },
  })
  if (tuning.kind === 'none') return [heat(0, all)]
  const parts = queryPartNames(queries, tuning)
  const without = (part: number) =>
    heat(
      part,
      all.filter((place) => parts[order[place]] !== part),
    )
  return tuning.kind === 'split' ? [without(1)] : [...new Set(parts)].sort((a, b) => a - b).map(without)
}

/** Number of ascending positions below `end`. */
function lowerBound(places: Int32Array, end: number): number {
  const first = places.findIndex((place) => place >= end)
  return first < 0 ? places.length : first
}
