import type { Result, Summary, TrialSummary, TunedSummary } from '../results/summary.ts'
import { signOf } from './measured.ts'

/** Trials that represent others in charts. */

type Measured = Pick<TrialSummary, 'measures'>

export function bestFirst(
  summary: Pick<Summary, 'primary' | 'scales'>,
): (a: Measured, b: Measured) => number {
  const { primary } = summary
  const sign = signOf(summary)
  const quality = ({ measures }: Measured) => sign * (measures[primary]?.mean ?? -sign * Number.MAX_VALUE)
  return (a, b) => quality(b) - quality(a)
}

/** Maximum strategies in a chart. */
const MOST = 12

/**
 * Indexes of trials, one per strategy, and the baseline's. A tuned strategy is represented by its most
 * often chosen trial, in the order of the rows; another by its best trial, best first.
 */
export function representatives(summary: Result): number[] {
  const best = summary.tuned.length > 0 ? tunedPlaces(summary) : bestPlaces(summary)
  const baseline = baselinePlace(summary)
  const wanted = best.slice(0, MOST)
  if (baseline === null || wanted.includes(baseline)) return wanted
  return summary.tuned.length > 0 ? [...wanted, baseline] : byQuality(summary, [...wanted, baseline])
}

export function representing({ tuned, comparison }: Result): string {
  const baseline = comparison ? ', and the baseline' : ''
  return tuned.length > 0
    ? `One trial per strategy, the one that tuning chose most often${baseline}, in the order of the leaderboard`
    : `The best trial of each strategy${baseline}, best first`
}

/** Index of the baseline trial, or of the trial that represents a tuned baseline; null without a comparison. */
export function baselinePlace(summary: Result): number | null {
  const id = summary.comparison?.baseline
  if (id === undefined) return null
  const index = placeOf(summary, id)
  return index < 0 ? null : index
}

/** Index of a row's trial, or of the trial that represents a tuned row; -1 without one. */
export function placeOf(summary: Result, id: string): number {
  const tuned = summary.tuned.find((row) => row.id === id)
  return tuned ? tunedIndex(summary, tuned) : trialIndex(summary, id)
}

/** In the config's order, which assigns colours and shapes. */
export function strategiesOf(rows: readonly { readonly strategy: string }[]): string[] {
  return [...new Set(rows.map(({ strategy }) => strategy))]
}

function tunedPlaces(summary: Result): number[] {
  const rows = [...summary.tuned].sort(bestFirst(summary))
  return [...new Set(rows.map((row) => tunedIndex(summary, row)).filter((index) => index >= 0))]
}

/** Index of the trial that most folds chose; of several the best. */
function tunedIndex(summary: Result, { chosen }: TunedSummary): number {
  const count = (id: string) => chosen.filter((other) => other === id).length
  const highest = Math.max(...chosen.map(count))
  const often = chosen.filter((id) => count(id) === highest).map((id) => trialIndex(summary, id))
  return (
    byQuality(
      summary,
      often.filter((index) => index >= 0),
    )[0] ?? -1
  )
}

function bestPlaces(summary: Result): number[] {
  const seen = new Set<string>()
  const indexes = summary.trials.map((_, index) => index)
  return byQuality(summary, indexes).filter((index) => {
    const { strategy } = summary.trials[index]
    return !seen.has(strategy) && seen.add(strategy)
  })
}

function byQuality(summary: Result, indexes: readonly number[]): number[] {
  const better = bestFirst(summary)
  return [...indexes].sort((a, b) => better(summary.trials[a], summary.trials[b]) || a - b)
}

export function trialIndex({ trials }: Result, id: string): number {
  return trials.findIndex((trial) => trial.id === id)
}
