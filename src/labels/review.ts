import { z } from 'zod'
import { UserError } from '../errors.ts'
import { readHeadedLines } from '../store/input.ts'
import { type Log, type Standing, standingOf } from './log.ts'

const goldSchema = z.strictObject({
  document: z.string(),
  title: z.string(),
  /** Text around the gold and the gold itself. */
  before: z.string(),
  text: z.string(),
  after: z.string(),
})
const questionSchema = z.strictObject({
  id: z.string(),
  text: z.string(),
  category: z.string().nullable(),
  answers: z.array(z.string()),
  answerable: z.boolean(),
  gold: z.array(goldSchema),
})
const headerSchema = z.strictObject({
  touchstone: z.literal('review'),
  format: z.literal(1),
  dataset: z.string(),
  hash: z.string(),
  /** Questions file; null if the questions are part of the dataset. */
  questions: z.string().nullable(),
  file: z.string().nullable(),
})

export type ReviewedQuestion = z.output<typeof questionSchema>
/** Questions to review, with their gold in context. */
export interface ReviewSet extends z.output<typeof headerSchema> {
  readonly items: readonly ReviewedQuestion[]
}

export function reviewLines({ items, ...head }: ReviewSet): string {
  return [head, ...items].map((line) => `${JSON.stringify(line)}\n`).join('')
}

export function parseReview(text: string, file: string): ReviewSet {
  const { header, items } = readHeadedLines(file, text, headerSchema, questionSchema)
  if (!header) throw new UserError('holds no questions to review', file)
  return { ...header, items: items.map(({ value }) => value) }
}

/** Outcome of the reviews of a question by all labellers. */
export interface Reviewed {
  readonly verdict: 'accepted' | 'rejected' | 'unreviewed'
  /** Wording of the last edit; the question's own without one. */
  readonly text: string
  readonly by: readonly string[]
}

/** Outcome for each question: one rejection rejects it, else one acceptance or edit accepts it. */
export function reviewOutcomes({ items }: ReviewSet, logs: readonly Log[]): ReadonlyMap<string, Reviewed> {
  const standings = logs.map(({ header, actions }): [string, Standing] => [
    header.labeller,
    standingOf(actions),
  ])
  return new Map(
    items.map(({ id, text }): [string, Reviewed] => {
      const reviews = standings.flatMap(([by, { reviews: reviewsByItem }]) => {
        const review = reviewsByItem.get(id)
        return review ? [{ by, review }] : []
      })
      const edits = reviews.flatMap(({ review }) => (review.do === 'edit' ? [review] : []))
      const [last] = edits.sort((a, b) => (a.at < b.at ? 1 : -1))
      const isRejected = reviews.some(({ review }) => review.do === 'reject')
      const verdict = isRejected ? 'rejected' : reviews.length > 0 ? 'accepted' : 'unreviewed'
      return [id, { verdict, text: last?.text ?? text, by: reviews.map(({ by }) => by) }]
    }),
  )
}
