import type { Summary, TrialSummary } from '../results/summary.ts'
import { percent, plural, points, quantity } from './numbers.ts'

/** What a race stopped stands apart: it has numbers over fewer queries than the other rows, and is compared with none of them. */

/** Whether a trial was run on every query. */
export function isWhole({ stopped }: Pick<TrialSummary, 'stopped'>): boolean {
  return stopped === undefined
}

/**
 * A trial's mean of the primary measure as it can stand beside the others': of one that was stopped, the mean of the trial
 * that ruled it out and the difference to it over the queries that both were run on, within 0 and 1.
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

/** Where a row stopped, in words: `after 45 queries, -3.1 points to hybrid [-5.0, -1.2] over these`. */
export function stopInWords({ trials }: Summary, stopped: NonNullable<TrialSummary['stopped']>): string {
  const { after, by, difference } = stopped
  const { mean, low, high } = difference
  const bounds = low === null || high === null ? '' : ` [${points(low)}, ${points(high)}]`
  const name = trials.find(({ id }) => id === by)?.name ?? by
  return `after ${plural(after, 'query', 'queries')}, ${points(mean)} points to ${name}${bounds} over these`
}

/** What the race did, in words; '' where there was none. */
export function raceInWords({ race, trials, dataset }: Summary): string {
  if (!race) return ''
  const stopped = trials.filter((trial) => !isWhole(trial)).length
  const rounds = plural(race.rounds.length, 'round')
  const none =
    race.untuned.length > 0
      ? ` Without a tuned row, since for some part of the queries no trial of theirs was left to choose: ${race.untuned.join(', ')}.`
      : ''
  if (stopped === 0) return `The trials raced in ${rounds}; none was stopped.${none}`
  return `The trials raced in ${rounds}: paired tests (level ${race.level}, corrected over rounds and trials) stopped ${quantity(stopped)} of ${quantity(trials.length)}, and ${percent(race.share)} % of the work was done. A stopped trial's numbers are over the queries that it was run on, not over all ${quantity(dataset.queries)}; it stands below the others, is not ranked, and is compared with none of them but the trial that ruled it out.${none}`
}
