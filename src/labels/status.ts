import { ofAny } from '../dataset/sink.ts'
import { FEWEST_QUERIES } from '../statistics/sample.ts'
import type { Agreement } from './agreement.ts'
import { agreementTable, finalGrade, type GradedPair, gradedPairs } from './final.ts'
import { type LabelsFolder, labellersOf } from './folder.ts'
import { pairOf, standingOf } from './log.ts'
import { type Decision, decisionOf } from './order.ts'
import type { Pool } from './pool.ts'
import { reviewOutcomes } from './review.ts'

export type LabelsStatus = ReturnType<typeof labelsStatus>

/** State of a labels folder. `outside`: labels of passages that the pool no longer holds. */
export function labelsStatus(labels: LabelsFolder, relevant: number) {
  const { pool, review, logs } = labels
  const pairs = new Set(
    pool?.queries.flatMap(({ id, passages }) => passages.map((passage) => pairOf(id, passage.id))),
  )
  const outcomes = review ? [...reviewOutcomes(review, logs).values()] : []
  const count = (verdict: string) => outcomes.filter((outcome) => outcome.verdict === verdict).length
  return {
    labellers: logs.map(({ header: { labeller: name, kind }, actions, torn }) => {
      const { grades, skipped, reviews } = standingOf(actions)
      const outside = pool ? [...grades.keys()].filter((key) => !pairs.has(key)).length : 0
      const counts = { labels: grades.size, skipped: skipped.size, reviews: reviews.size, outside }
      return { name, kind, ...counts, last: actions.at(-1)?.at ?? '', torn }
    }),
    pool: pool && poolStatus(labels, pool, relevant),
    review: review && {
      questions: review.items.length,
      accepted: count('accepted'),
      rejected: count('rejected'),
      unreviewed: count('unreviewed'),
    },
  }
}

function poolStatus(labels: LabelsFolder, pool: Pool, relevant: number) {
  const { experiment, result, trials, measure, k, audit } = pool
  const graded = gradedPairs(pool, labels.logs)
  const people = labellersOf(labels, 'person')
  const { weights: _, ...decision } = decisionOf(pool, relevanceOf(graded, people, relevant))
  return {
    experiment,
    result,
    trials,
    measure,
    k,
    ...(audit && { audit }),
    decision,
    /** Passages on whose relevance people disagree. */
    conflicts: graded.filter((pair) => finalGrade(pair, (name) => people.includes(name), relevant) === null)
      .length,
    agreement: agreementTable(graded, people, labellersOf(labels, 'model'), relevant),
  }
}

/** Relevance of each pair that people agree on, by `pairOf`. */
export function relevanceOf(
  graded: readonly GradedPair[],
  people: readonly string[],
  relevant: number,
): ReadonlyMap<string, boolean> {
  return new Map(
    graded.flatMap((pair): [string, boolean][] => {
      const final = finalGrade(pair, (name) => people.includes(name), relevant)
      return typeof final === 'number' ? [[pairOf(pair.query, pair.passage.id), final >= relevant]] : []
    }),
  )
}

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
      const parts = ofAny(
        [1, `${labels} label${labels === 1 ? '' : 's'}`],
        [skipped, `${skipped} skipped`],
        [reviews, `${reviews} reviews`],
        [outside, `${outside} of passages outside the pool`],
        [torn, `${torn} cut off by a crash`],
      )
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
