import { gradedPairs } from '../labels/final.ts'
import { type LabelsFolder, labellersOf } from '../labels/folder.ts'
import { GRADES, pairOf, RELEVANT, type Standing, standingOf } from '../labels/log.ts'
import { decisionOf, questionOrder } from '../labels/order.ts'
import { shuffled } from '../labels/pool.ts'
import { decisionInWords, relevanceOf } from '../labels/status.ts'
import type { LabelOverview, LabelQuestion, ReviewItem } from './label-state.ts'

export function standingIn({ logs }: LabelsFolder, labeller: string): Standing {
  return standingOf(logs.find(({ header }) => header.labeller === labeller)?.actions ?? [])
}

/** Questions ordered by this labeller's labels; the decision is by everybody's. */
export function labelOverview(labels: LabelsFolder, labeller: string): LabelOverview | null {
  const { pool } = labels
  if (!pool) return null
  const own = standingIn(labels, labeller)
  const people = labellersOf(labels, 'person')
  const graded = gradedPairs(pool, labels.logs)
  const mine = ownDecision(labels, own)
  const all = decisionOf(pool, relevanceOf(graded, people, RELEVANT))
  // Names of trials could bias a labeller.
  const blind = pool.trials.map((_, at) => `trial ${String.fromCharCode(65 + (at % 26))}`)
  const isDone = (key: string) => own.grades.has(key) || own.skipped.has(key)
  return {
    grades: GRADES,
    questions: (pool.audit ? pool.queries : questionOrder(pool, mine)).map(({ id, text, passages }) => {
      const keys = passages.map((passage) => pairOf(id, passage.id))
      return {
        id,
        text,
        total: keys.length,
        done: keys.filter(isDone).length,
        decisive: keys.filter((key) => !isDone(key) && mine.weights.has(key)).length,
      }
    }),
    decision: decisionInWords(all, blind, pool),
  }
}

function ownDecision({ pool }: LabelsFolder, { grades }: Standing) {
  if (!pool) throw new Error('there is no pool')
  return decisionOf(pool, new Map([...grades].map(([key, { grade }]) => [key, grade >= RELEVANT])))
}

/** Passages in random order, decisive ones first. */
export function labelQuestion(labels: LabelsFolder, labeller: string, id: string): LabelQuestion | null {
  const { pool } = labels
  const query = pool?.queries.find((one) => one.id === id)
  if (!pool || !query) return null
  const { grades, skipped, comments, ...own } = standingIn(labels, labeller)
  const { weights } = decisionOf(pool, new Map())
  const now = ownDecision(labels, { ...own, grades, skipped, comments }).weights
  const isDecisive = (passage: string) => weights.has(pairOf(id, passage))
  const order = shuffled(query, pool.seed, labeller)
  return {
    id,
    text: query.text,
    passages: [
      ...order.filter((one) => isDecisive(one.id)),
      ...order.filter((one) => !isDecisive(one.id)),
    ].map(({ id: passage, title, text }) => {
      const key = pairOf(id, passage)
      return {
        id: passage,
        title,
        text,
        skipped: skipped.has(key),
        decisive: now.has(key),
        grade: grades.get(key)?.grade ?? null,
        comment: comments.get(key)?.text ?? '',
      }
    }),
  }
}

export function reviewItems(labels: LabelsFolder, labeller: string): ReviewItem[] {
  const { reviews } = standingIn(labels, labeller)
  return (labels.review?.items ?? []).map((item) => {
    const review = reviews.get(item.id)
    const wording = review?.do === 'edit' ? review.text : item.text
    return { ...item, verdict: review?.do ?? '', wording }
  })
}
