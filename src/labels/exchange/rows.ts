import type { FiledLog } from '../files.ts'
import { pairOf, standingOf } from '../log.ts'
import type { Pool, PooledPassage, PooledQuery } from '../pool.ts'

/** A label as other tools exchange it. */
export interface LabelRow {
  readonly query: PooledQuery
  readonly passage: PooledPassage
  readonly labeller: string
  readonly grade: number
  readonly comment: string
  readonly at: string
}

/** Labels of all people on a pool, in its order. Other tools know no models: there a model's labels would be a person's. */
export function labelRows(pool: Pool, logs: readonly FiledLog[]): LabelRow[] {
  const people = logs.filter(({ header }) => header.kind === 'person')
  const standings = people.map(({ header, actions }) => ({ header, ...standingOf(actions) }))
  return pool.queries.flatMap((query) =>
    query.passages.flatMap((passage) =>
      standings.flatMap(({ header, grades, comments }): LabelRow[] => {
        const own = grades.get(pairOf(query.id, passage.id))
        if (!own) return []
        const comment = comments.get(pairOf(query.id, passage.id))?.text ?? ''
        return [{ query, passage, labeller: header.labeller, grade: own.grade, comment, at: own.at }]
      }),
    ),
  )
}

/** A label of another tool, before it is found in the pool. */
export interface ForeignLabel {
  readonly query: string
  /** Id of a passage, of its chunk or of its document. */
  readonly passage: string
  /** '' if the file does not say. */
  readonly labeller: string
  readonly grade: number
  readonly comment?: string
  readonly line: number
}

/** Passages of a pool that a label is about; a document is all its passages. */
export function passagesOf(pool: Pool): (label: ForeignLabel) => readonly string[] {
  const known = new Map<string, string[]>()
  for (const { id, passages } of pool.queries)
    for (const passage of passages)
      for (const name of new Set([passage.id, passage.chunk, passage.document])) {
        const key = pairOf(id, name)
        const own = known.get(key)
        if (own) own.push(passage.id)
        else known.set(key, [passage.id])
      }
  return ({ query, passage }) => known.get(pairOf(query, passage)) ?? []
}
