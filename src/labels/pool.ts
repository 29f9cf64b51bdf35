import { z } from 'zod'
import { UserError } from '../errors.ts'
import { createRandomFor, shuffle } from '../random.ts'
import { sha256 } from '../store/hash.ts'
import { readHeadedLines } from '../store/input.ts'

const passage = z.strictObject({
  /** Hash of document and text: the same passage in another chunking, another run or another pool has the same id. */
  id: z.string(),
  chunk: z.string(),
  document: z.string(),
  start: z.int(),
  end: z.int(),
  title: z.string(),
  text: z.string(),
  /** Rank in each trial of the pool, 0 below the first k. Never shown to a labeller. */
  ranks: z.array(z.int().min(0)),
})
const query = z.strictObject({ id: z.string(), text: z.string(), passages: z.array(passage) })
const header = z.strictObject({
  touchstone: z.literal('pool'),
  format: z.literal(1),
  experiment: z.string(),
  result: z.string(),
  unit: z.enum(['document', 'chunk', 'span']),
  k: z.int().min(1),
  measure: z.string(),
  trials: z.array(z.string()).min(1),
  seed: z.int(),
  /** Questions of an audit, most suspicious first; labels correct the dataset's gold and do not replace it. */
  audit: z.literal(true).optional(),
})

export type PooledPassage = z.output<typeof passage>
export type PooledQuery = z.output<typeof query>
/** The first k results of some trials for each question, and the gold that the dataset has already. */
export interface Pool extends z.output<typeof header> {
  readonly queries: readonly PooledQuery[]
}

export function passageId(document: string, text: string): string {
  return sha256(`${document}\n${text}`).slice(0, 16)
}

export function poolLines({ queries, ...head }: Pool): string {
  return [head, ...queries].map((line) => `${JSON.stringify(line)}\n`).join('')
}

export function parsePool(text: string, file: string): Pool {
  const { header: head, items } = readHeadedLines(file, text, header, query)
  if (!head) throw new UserError('is no pool: its first line is no header', file)
  return { ...head, queries: items.map(({ value }) => value) }
}

/** A pool with the passages that only an earlier one has, below every rank. */
export function withEarlier(now: Pool, earlier: Pool): Pool {
  const before = new Map(earlier.queries.map((query) => [query.id, query]))
  return {
    ...now,
    queries: now.queries.map((query) => {
      const old = before.get(query.id)
      if (!old || old.text !== query.text) return query
      const ids = new Set(query.passages.map(({ id }) => id))
      const gone = old.passages.filter(({ id }) => !ids.has(id))
      return {
        ...query,
        passages: [...query.passages, ...gone.map((past) => ({ ...past, ranks: now.trials.map(() => 0) }))],
      }
    }),
  }
}

/** Passages of a question in an order of chance, another for each labeller. */
export function shuffled(
  { id, passages }: PooledQuery,
  seed: number,
  labeller: string,
): readonly PooledPassage[] {
  return shuffle([...passages], createRandomFor(seed, `${labeller}\n${id}`))
}
