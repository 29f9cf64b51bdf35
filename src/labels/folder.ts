import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, UserError } from '../errors.ts'
import {
  type Act,
  type Action,
  actionSchema,
  type Log,
  type LogHeader,
  labellerName,
  parseLog,
  TORN,
} from './log.ts'
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
    throw new UserError(
      'is no folder of labels; `touchstone labels pool` or `touchstone labels review` makes one',
      folder,
    )
  const read = <T>(name: string, parse: (text: string, file: string) => T) => {
    const file = join(at, name)
    return existsSync(file) ? parse(readFileSync(file, 'utf8'), file) : null
  }
  const [pool, review] = [read(POOL, parsePool), read(REVIEW, parseReview)]
  if (!pool && !review)
    throw new UserError(
      `holds neither ${POOL} nor ${REVIEW}; \`touchstone labels pool\` or \`touchstone labels review\` writes them`,
      folder,
    )
  return { folder: at, pool, review, logs: readLogs(at) }
}

export function requirePool({ folder, pool }: LabelsFolder): Pool {
  if (pool) return pool
  throw new UserError(
    'has no pool; `touchstone labels pool LABELS EXPERIMENT` makes one of a finished experiment',
    folder,
  )
}

export function labellersOf({ logs }: Pick<LabelsFolder, 'logs'>, kind: 'person' | 'model'): string[] {
  return logs.flatMap(({ header }) => (header.kind === kind ? [header.labeller] : []))
}

const ENDING = '.labels.jsonl'

export interface FiledLog extends Log {
  readonly file: string
}

/** Logs of a folder by labeller. Throws a UserError with every wrong line, and for two logs of one labeller. */
export function readLogs(folder: string): FiledLog[] {
  const diagnostics: Diagnostic[] = []
  const logs: FiledLog[] = []
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    if (!name.endsWith(ENDING)) continue
    const file = join(folder, name)
    if (!lstatSync(file).isFile()) {
      diagnostics.push({ file, message: 'is no plain file' })
      continue
    }
    const { log, diagnostics: wrong } = parseLog(readFileSync(file, 'utf8'), file)
    diagnostics.push(...wrong)
    if (log) logs.push({ ...log, file })
  }
  for (const [index, { header, file }] of logs.entries()) {
    const twin = logs.slice(0, index).find((other) => keyOf(other.header.labeller) === keyOf(header.labeller))
    if (twin)
      diagnostics.push({
        file,
        message: `is of the labeller "${header.labeller}", as ${twin.file} is; two labellers need two names: rename one in the first line of its file, and the file`,
      })
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return logs
}

/** Names that differ in case or form only are one labeller's. */
function keyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** The name as the folder knows it; a name that differs in case only from a labeller's is refused. */
export function requireLabeller(folder: string, typedName: string): string {
  const labellers = readLogs(folder).map(({ header }) => header.labeller)
  const { name, wrong } = labellerAmong(labellers, typedName)
  if (wrong !== undefined) throw new UserError(wrong)
  return name
}

/** A labeller's name, or the reason why it is not allowed next to the known names. */
export function labellerAmong(
  labellers: Iterable<string>,
  text: string,
): { name: string; wrong?: undefined } | { name?: undefined; wrong: string } {
  const { data: name, error } = labellerName.safeParse(text.normalize('NFC').trim())
  if (error) return { wrong: `labeller "${text}" ${error.issues[0].message}` }
  const twin = [...labellers].find((other) => other !== name && keyOf(other) === keyOf(name))
  return twin === undefined
    ? { name }
    : {
        wrong: `labeller "${name}" is too like "${twin}", who has labels too; choose another name, or write it the same`,
      }
}

/**
 * Appends acts to a labeller's log and returns when they are on the disk. One write for all keeps two processes from mixing lines. An act
 * whose id the log has is left out, so a request may be sent again.
 */
export function appendActions(folder: string, header: LogHeader, acts: readonly Action[]): void {
  const file = join(folder, `${header.labeller}${ENDING}`)
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
  const descriptor = openSync(file, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o644)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new UserError('is no plain file', file)
    const text = stats.size === 0 ? '' : readFileSync(file, 'utf8')
    const { log, diagnostics } = text.trim() === '' ? { log: null, diagnostics: [] } : parseLog(text, file)
    if (diagnostics.length > 0) throw new UserError(diagnostics)
    const ids = new Set(log?.actions.map(({ id }) => id))
    const fresh = acts.filter(({ id }) => !ids.has(id))
    if (fresh.length === 0 && log) return
    const lines = [...(log ? [] : [JSON.stringify(header)]), ...fresh.map((act) => JSON.stringify(act))]
    const bytes = Buffer.from(`${mendOf(text)}${lines.map((line) => `${line}\n`).join('')}`)
    // A full disk takes some bytes first and refuses the next ones.
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function mendOf(log: string): string {
  if (log === '' || log.endsWith('\n')) return ''
  try {
    JSON.parse(log.split('\n').at(-1) ?? '')
    return '\n'
  } catch {
    return `\n${TORN}\n`
  }
}

/** An act with its id and time. Throws a UserError where a field is wrong. */
export function actionOf(act: Act, id: string, at: string): Action {
  const { data, error } = actionSchema.safeParse({ ...act, id, at })
  if (error)
    throw new UserError(
      error.issues.map(({ path, message }) => ({ message: `${path.join('.')}: ${message}` })),
    )
  return data
}
