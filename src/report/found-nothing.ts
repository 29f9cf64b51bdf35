import type { Summary, TrialSummary } from '../results/summary.ts'

const REMEDY = 'Check that corpus and labels use the same document ids.'

/** One line if no trial finds any gold, otherwise one for each external run that finds none: its ids may differ. */
export function foundNothingLines({ trials, dataset }: Pick<Summary, 'trials' | 'dataset'>): string[] {
  const ran = trials.filter(({ failed }) => failed < dataset.queries)
  if (dataset.judged === 0 || ran.length === 0) return []
  if (ran.every(findsNothing)) return [`No trial finds a relevant passage for any query. ${REMEDY}`]
  return ran
    .filter((trial) => (trial.strategy === 'run' || trial.strategy === 'external') && findsNothing(trial))
    .map(({ name }) => `${name}: none of its documents is relevant to any query. ${REMEDY}`)
}

function findsNothing({ funnel }: TrialSummary): boolean {
  return funnel.length > 0 && funnel.every(({ stage, lost }) => stage !== 'found' || lost === 0)
}
