import type { Preference } from '../../answer/judges/define.ts'
import type { JudgeAgreement, JudgeBias, JudgeSummary } from '../../results/answers.ts'
import { cohensKappa } from '../../statistics/kappa.ts'
import { SHARE } from '../../statistics/range.ts'
import type { Estimator } from './estimate.ts'
import type { JudgeScores } from './judge-answers.ts'

/** Number of failures that are quoted. */
const TOLD = 3

/** Summarizes one judge. `idOf`: id of a query by its index. */
export function summarizeJudge(
  { judging, preferences, failures, taken, labelled }: JudgeScores,
  idOf: (query: number) => string,
  estimator: Estimator,
): JudgeSummary {
  const sum = (of: 'input' | 'output') => taken.reduce((total, { took }) => total + took[of], 0)
  return {
    name: judging.name,
    ...{ modelCalls: taken.length, inputTokens: sum('input'), outputTokens: sum('output') },
    estimated: taken.filter(({ took }) => took.estimated).length,
    cut: taken.filter(({ cut }) => cut).length,
    failed: failures.length,
    failures: failures.slice(0, TOLD).map(({ row, query, message }) => ({
      query: row ? idOf(query) : `label ${query + 1}`,
      message,
    })),
    ...(preferences.length > 0 && { bias: biasOf(preferences) }),
    ...(labelled && { agreement: agreementOf(labelled, estimator) }),
  }
}

/** The share of a place, of length, and of neither, in verdicts on two answers. */
export function biasOf(preferences: readonly Preference[]): JudgeBias {
  const consistent = preferences.filter(({ orders: [forth, back] }) => forth === back)
  const places = preferences.flatMap(({ orders: [forth, back] }) => [
    ...(forth === 'tie' ? [] : [forth === 'this']),
    ...(back === 'tie' ? [] : [back === 'other']),
  ])
  const lengths = consistent.flatMap(({ orders: [better], longer }) =>
    better === 'tie' || longer === 0 ? [] : [(better === 'this') === longer > 0],
  )
  return {
    pairs: preferences.length,
    consistent: preferences.length === 0 ? null : consistent.length / preferences.length,
    first: shareOf(places),
    longer: shareOf(lengths),
  }
}

function agreementOf(labelled: NonNullable<JudgeScores['labelled']>, estimator: Estimator): JudgeAgreement {
  const counted = labelled.filter(({ value }) => !Number.isNaN(value))
  const judge = counted.map(({ value }) => value >= 0.5)
  const people = counted.map(({ label }) => label >= 0.5)
  const agree = Float64Array.from(judge, (yes, index) => Number(yes === people[index]))
  const share = { mean: shareOf([...agree].map(Boolean)) ?? 0, low: null, high: null, n: agree.length }
  if (agree.length > 0) estimator.draw([agree], share, SHARE)
  const kappa = cohensKappa(judge, people)
  return { n: agree.length, share, kappa: Number.isFinite(kappa) ? kappa : null }
}

function shareOf(values: readonly boolean[]): number | null {
  return values.length === 0 ? null : values.filter(Boolean).length / values.length
}
