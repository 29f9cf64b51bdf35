import { type AgreementTable, agreementTable, finalGrade, type GradedPair, gradedPairs } from './final.ts'
import { type LabelsFolder, labellersOf } from './folder.ts'
import { pairOf, standingOf } from './log.ts'
import { type Decision, decisionOf } from './order.ts'
import type { Pool } from './pool.ts'
import { reviewOutcomes } from './review.ts'

/** State of a labels folder. */
export interface LabelsStatus {
  readonly labellers: readonly LabellerStatus[]
  readonly pool: PoolStatus | null
  readonly review: {
    readonly questions: number
    readonly accepted: number
    readonly rejected: number
    readonly unreviewed: number
  } | null
}

interface LabellerStatus {
  readonly name: string
  readonly kind: 'person' | 'model'
  readonly labels: number
  readonly skipped: number
  readonly reviews: number
  /** Labels of passages that the pool no longer holds. */
  readonly outside: number
  /** Time of the last act; '' without one. */
  readonly last: string
  /** Lines that a crash cut off. */
  readonly torn: number
}

interface PoolStatus {
  readonly experiment: string
  readonly result: string
  readonly trials: readonly string[]
  readonly measure: string
  readonly k: number
  readonly audit?: true | undefined
  readonly decision: Omit<Decision, 'weights'>
  /** Passages on whose relevance people disagree. */
  readonly conflicts: number
  readonly agreement: AgreementTable
}

export function labelsStatus(labels: LabelsFolder, relevant: number): LabelsStatus {
  const { pool, review, logs } = labels
  const known = new Set(
    pool?.queries.flatMap(({ id, passages }) => passages.map((passage) => pairOf(id, passage.id))),
  )
  const outcomes = review ? [...reviewOutcomes(review, logs).values()] : []
  const count = (verdict: string) => outcomes.filter((one) => one.verdict === verdict).length
  return {
    labellers: logs.map(({ header: { labeller: name, kind }, actions, torn }) => {
      const { grades, skipped, reviews } = standingOf(actions)
      const outside = pool ? [...grades.keys()].filter((key) => !known.has(key)).length : 0
      const last = actions.at(-1)?.at ?? ''
      return {
        name,
        kind,
        labels: grades.size,
        skipped: skipped.size,
        reviews: reviews.size,
        outside,
        last,
        torn,
      }
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

function poolStatus(labels: LabelsFolder, pool: Pool, relevant: number): PoolStatus {
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
