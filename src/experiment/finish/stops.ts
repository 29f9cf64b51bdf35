import type { RaceSummary, StoppedSummary } from '../../results/summary.ts'
import { compareIds } from '../../text/order.ts'
import { type CompiledTrial, comparedStrategy } from '../plan/compile.ts'
import type { RaceOutcome } from '../shard/race.ts'
import type { Session } from '../shard/session.ts'
import type { Merged } from './merge.ts'

/** True if a trial was run on every query, and not stopped by a race. */
export function ranWhole({ ran, queries }: Pick<Merged, 'ran' | 'queries'>, trial: number): boolean {
  return ran[trial] === queries
}

/** Outcome of the race; null without one. Its parts have been read already. */
export async function outcomeOf({ racing, shards }: Session): Promise<RaceOutcome | null> {
  if (!racing || shards.length === 0) return null
  await racing.running(shards[shards.length - 1].round)
  return racing.outcome()
}

/** Race as the summary describes it; `trials` have portable paths. */
export function describeRace(
  { plan, shards }: Session,
  { ran, queries }: Merged,
  trials: readonly CompiledTrial[],
  tuned: readonly { readonly strategy: string }[],
): RaceSummary | null {
  const { race, tuning } = plan.experiment
  if (!race) return null
  const rows = new Set(tuned.map(({ strategy }) => strategy))
  const strategies = new Set(trials.map(comparedStrategy))
  const ends = shards.flatMap(({ round, end }, shard) => (shards[shard + 1]?.round === round ? [] : [end]))
  const { level, firstTest, blocks } = race
  return {
    ...{ level, firstTest, blocks },
    rounds: ends.map((end) => ({ queries: end, trials: ran.filter((own) => own >= end).length })),
    share: ran.reduce((sum, own) => sum + own, 0) / Math.max(1, ran.length * queries),
    untuned:
      tuning.kind === 'none'
        ? []
        : [...strategies].filter((strategy) => !rows.has(strategy)).sort(compareIds),
  }
}

/** Number of queries after which a trial stopped, and its difference to the leader of that round on the queries of both. */
export function describeStop(
  { trials }: Session,
  { stopped }: RaceOutcome,
  trial: number,
  valuesOf: (trial: number) => Float64Array,
): StoppedSummary | undefined {
  const stop = stopped.get(trial)
  if (!stop) return undefined
  const leader = valuesOf(stop.leader)
  const differences = valuesOf(trial).map((value, query) => value - leader[query])
  const seen = differences.filter((value) => !Number.isNaN(value))
  const mean = seen.reduce((sum, value) => sum + value, 0) / seen.length
  return { after: stop.after, by: trials[stop.leader].id, difference: { mean, n: seen.length } }
}
