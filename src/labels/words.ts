import { FEWEST_QUERIES } from '../statistics/sample.ts'
import type { Agreement } from './agreement.ts'
import type { Decision } from './order.ts'
import type { Pool } from './pool.ts'
import type { LabelsStatus } from './status.ts'

/** Kappa with its interval and its number of passages. */
function agreementInWords({ kappa, low, high, items }: Agreement): string {
  if (items === 0) return 'no passage in common'
  if (Number.isNaN(kappa)) return `unknown: all ${items} labels in common are the same`
  const range = Number.isNaN(low) ? '' : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`
  return `${kappa.toFixed(2)}${range} over ${items} passages`
}

/** Labels so far as sentences, with the state of the decision, the closest pair first; an audit decides nothing. */
export function decisionInWords(
  { leader, pairs, needed, labelled, total, questions: { begun, total: all } }: Omit<Decision, 'weights'>,
  trials: readonly string[],
  { measure, audit }: Pick<Pool, 'measure' | 'audit'>,
): string[] {
  const points = (value: number) => `${value < 0 ? '−' : '+'}${(100 * Math.abs(value)).toFixed(1)}`
  // Without a label every trial has gained the same.
  const sorted = labelled === 0 ? [] : [...pairs].sort((a, b) => a.low - b.low)
  const count = (value: number) => value.toLocaleString('en-US')
  const labels = `${count(labelled)} of ${count(total)} passages have a label, and ${count(begun)} of ${count(all)} questions.`
  if (audit)
    return [`${labels} Labels correct the gold of these questions; all other labels of the data set stay.`]
  return [
    `${labels}${begun < Math.min(all, FEWEST_QUERIES) ? ` A run leaves questions without a label out, and no test finds a difference with fewer than ${FEWEST_QUERIES}.` : ''}`,
    ...sorted.map(
      ({ b, difference, low, high }) =>
        `${trials[leader]} against ${trials[b]}: ${points(difference)} points of gain; the missing labels leave it between ${points(low)} and ${points(high)}${100 * low >= 0.05 ? ', so it is ahead whatever they say' : ''}.`,
    ),
    ...(pairs.length === 0
      ? []
      : [
          needed === 0
            ? `No further label can put another trial before ${trials[leader]} by gain.`
            : `About ${count(needed)} more labels settle which trial is first by gain.`,
          `Gain approximates ${measure}; a run with these labels computes ${measure} itself, and may order trials otherwise.`,
        ]),
  ]
}

/** Status as sentences, by part. */
export function statusInWords({ labellers, pool, review }: LabelsStatus) {
  const { pairs = [], all = null, models = [] } = pool?.agreement ?? {}
  return {
    review: review
      ? [
          `Review: ${review.accepted} of ${review.questions} questions accepted, ${review.rejected} rejected, ${review.unreviewed} not reviewed.`,
        ]
      : [],
    decision: pool
      ? [
          `Pool: first ${pool.k} of ${pool.trials.join(', ')} in ${pool.experiment}.`,
          ...decisionInWords(pool.decision, pool.trials, pool),
          ...(pool.conflicts > 0
            ? [`Passages without a label, since people disagree: ${pool.conflicts}.`]
            : []),
        ]
      : [],
    labellers: labellers.map(({ name, kind, labels, skipped, reviews, outside, torn }) => {
      const parts = [
        `${labels} label${labels === 1 ? '' : 's'}`,
        ...(skipped > 0 ? [`${skipped} skipped`] : []),
        ...(reviews > 0 ? [`${reviews} reviews`] : []),
        ...(outside > 0 ? [`${outside} of passages outside the pool`] : []),
        ...(torn > 0 ? [`${torn} cut off by a crash`] : []),
      ]
      return `${kind === 'model' ? 'Model' : 'Labeller'} ${name}: ${parts.join(', ')}.`
    }),
    agreement: [
      ...pairs.map(
        ({ one, other, relevance, grades }) =>
          `${one} and ${other}: Cohen's kappa on relevance ${agreementInWords(relevance)}; on grades ${agreementInWords(grades)}.`,
      ),
      ...(all && pairs.length > 1
        ? [`All people: Fleiss' kappa on relevance ${agreementInWords(all.relevance)}.`]
        : []),
      ...models.map(
        ({ model, relevance }) =>
          `${model} and people: Cohen's kappa on relevance ${agreementInWords(relevance)}.`,
      ),
    ],
  }
}
