import type { Summary, TrialSummary } from '../results/summary.ts'
import { percent, plural, points, quantity } from './numbers.ts'

/** True if a trial was run on every query. */
export function isWhole({ stopped }: Pick<TrialSummary, 'stopped'>): boolean {
  return stopped === undefined
}

/**
 * Mean of the primary measure, comparable across trials. For a stopped trial: the mean of the trial that led then plus
 * their difference on shared queries, within 0 and 1.
 */
export function comparableMean({ trials, primary }: Summary): (trial: TrialSummary) => number {
  const byId = new Map(trials.map((trial) => [trial.id, trial]))
  const meanOf = ({ measures, stopped }: TrialSummary): number => {
    const leader = stopped && byId.get(stopped.by)
    if (!leader) return measures[primary].mean
    return Math.min(1, Math.max(0, meanOf(leader) + stopped.difference.mean))
  }
  return meanOf
}

/** Describes a stop: `after 45 queries, -3.1 points from hybrid on these queries`. Without an interval, which selection would bias. */
export function stopInWords({ trials }: Summary, stopped: NonNullable<TrialSummary['stopped']>): string {
  const { after, by, difference } = stopped
  const name = trials.find(({ id }) => id === by)?.name ?? by
  return `after ${plural(after, 'query', 'queries')}, ${points(difference.mean)} points from ${name} on these queries`
}

/** Describes the race; '' without one. */
export function raceInWords({ race, trials, dataset }: Summary): string {
  if (!race) return ''
  const stopped = trials.filter((trial) => !isWhole(trial)).length
  const rounds = plural(race.rounds.length, 'round')
  const none =
    race.untuned.length > 0
      ? ` No tuned row, because the race left no trial for some part of the queries: ${race.untuned.join(', ')}.`
      : ''
  if (stopped === 0) return `The trials raced in ${rounds}; none was stopped.${none}`
  return `The trials raced in ${rounds}: ${quantity(stopped)} of ${quantity(trials.length)} stopped, and ${percent(race.share)} % of the work was done. The chance that the best trial was stopped is at most ${race.level}. Numbers of a stopped trial cover only the queries it was run on, not all ${quantity(dataset.queries)}. Stopped trials come last, without rank or comparison.${none}`
}
