import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { type FiledLog, readLogs } from './files.ts'
import { type Pool, parsePool } from './pool.ts'
import { parseReview, type ReviewSet } from './review.ts'

/** Files of a labels folder, in addition to one log per labeller. */
export const POOL = 'pool.jsonl'
export const REVIEW = 'review.jsonl'

export interface LabelsFolder {
  readonly folder: string
  readonly pool: Pool | null
  readonly review: ReviewSet | null
  readonly logs: readonly FiledLog[]
}

/** Opens a labels folder. Throws a UserError with everything that is wrong in its files, or if it holds nothing to label. */
export function openLabels(folder: string): LabelsFolder {
  const at = join(folder)
  if (!statSync(at, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({
      file: folder,
      message: 'is no folder of labels; `touchstone labels pool` or `touchstone labels review` makes one',
    })
  const read = <T>(name: string, parse: (text: string, file: string) => T) => {
    const file = join(at, name)
    return existsSync(file) ? parse(readFileSync(file, 'utf8'), file) : null
  }
  const [pool, review] = [read(POOL, parsePool), read(REVIEW, parseReview)]
  if (!pool && !review)
    throw new UserError({
      file: folder,
      message: `holds neither ${POOL} nor ${REVIEW}; \`touchstone labels pool\` or \`touchstone labels review\` writes them`,
    })
  return { folder: at, pool, review, logs: readLogs(at) }
}

/** The pool of a labels folder. Throws a UserError without one. */
export function requirePool({ folder, pool }: LabelsFolder): Pool {
  if (pool) return pool
  throw new UserError({
    file: folder,
    message: 'has no pool; `touchstone labels pool LABELS EXPERIMENT` makes one of a finished experiment',
  })
}

/** Names of labellers of a kind. */
export function labellersOf({ logs }: Pick<LabelsFolder, 'logs'>, kind: 'person' | 'model'): string[] {
  return logs.flatMap(({ header }) => (header.kind === kind ? [header.labeller] : []))
}
