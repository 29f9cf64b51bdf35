import { recommendationText, recommendationWords } from '../report/recommend.ts'
import type { Costs, Limits, Reason } from '../results/recommend.ts'
import type { Comparison } from '../statistics/comparison.ts'
import { recommendTrial } from './recommend.ts'

/** A recommended trial, with the sentences that defend it. */
export interface RecommendedTrial {
  /** Name of the trial. */
  readonly choice: string
  readonly id: string
  /** Sentence that defends it. */
  readonly because: string
  /** Categories in which another strategy is far better; empty if there are none. */
  readonly losses: string
  /** Facts that would change the decision. */
  readonly changes: readonly string[]
  readonly reason: Reason
  readonly costs: Costs
  /** The choice minus the runner-up; null without one. */
  readonly comparison: Comparison | null
  /** Names of the trials that the test cannot tell from the best. */
  readonly open: readonly string[]
  readonly runnerUp: { readonly name: string; readonly costs: Costs } | null
  /** Trials that are over a limit, or whose cost nothing measured. */
  readonly excluded: readonly {
    readonly name: string
    readonly broken: readonly (keyof Limits)[]
    readonly unknown: readonly (keyof Limits)[]
  }[]
  /** All of it as plain text. */
  readonly text: string
  /** Config of the choice alone, as YAML with paths relative to `folder`. */
  config(folder: string): Promise<string>
}

/**
 * Recommends a trial of a finished experiment within limits, as `touchstone recommend` does. Throws a UserError if the experiment
 * ran on a sample, if a limit is on a cost that was not measured, or if no trial is within the limits.
 */
export async function recommend(experiment: string, limits: Limits = {}): Promise<RecommendedTrial> {
  const found = await recommendTrial(experiment, limits)
  const words = recommendationWords(found, found.summary, limits)
  const { choice, reason, open, runnerUp, comparison, excluded, config } = found
  const { because, losses, changes } = words
  return {
    choice: choice.trial.name,
    because,
    losses,
    changes,
    id: choice.trial.id,
    reason,
    costs: choice.costs,
    comparison,
    config,
    open: open.map(({ trial }) => trial.name),
    runnerUp: runnerUp && { name: runnerUp.trial.name, costs: runnerUp.costs },
    excluded: excluded.map(({ candidate, broken, unknown }) => ({
      name: candidate.trial.name,
      broken,
      unknown,
    })),
    text: recommendationText(words),
  }
}
