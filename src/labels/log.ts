import type { Diagnostic } from '../errors.ts'
import { fieldComplaint } from '../text/schema-words.ts'
import { type Action, actionSchema, headerSchema, type LogHeader } from './action.ts'

/**
 * Log of one labeller: a header line, then one act a line, in the order in which they were made. A line that a crash cut off is
 * left out: its storage was never confirmed. The next act writes a line of its own that says so.
 */
export interface Log {
  readonly header: LogHeader
  readonly actions: readonly Action[]
  /** Number of lines that a crash cut off. */
  readonly torn: number
}

/** Line behind one that a crash cut off. */
export const TORN = '{"do":"torn"}'

/**
 * Reads a log; `diagnostics` has every line that is wrong, as after an edit by hand. Null if nothing was stored before a crash.
 */
export function parseLog(text: string, file: string): { log: Log | null; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const lines = text.split('\n')
  const lineOf = new Map<string, number>()
  const actions: Action[] = []
  const headers: LogHeader[] = []
  let torn = 0
  const read = (line: string, number: number): void => {
    const wrong = (message: string) => void diagnostics.push({ file, line: number, message })
    const given = jsonOf(line)
    if (given === undefined) {
      if (number === lines.length || lines[number] === TORN) torn++
      else wrong('is no JSON object on a line of its own; restore the line, or delete it')
      return
    }
    const { data, error } = (headers.length > 0 ? actionSchema : headerSchema).safeParse(given)
    if (error) {
      for (const issue of error.issues) wrong(fieldComplaint(issue, given))
      return
    }
    if (!('do' in data)) {
      headers.push(data)
      return
    }
    const first = lineOf.get(data.id)
    if (first !== undefined) wrong(`has the id of line ${first}; each act has its own`)
    else if (data.do === 'undo' && !lineOf.has(data.of))
      wrong(`undoes "${data.of}", and no line above has this id`)
    else {
      lineOf.set(data.id, number)
      actions.push(data)
    }
  }
  for (const [index, line] of lines.entries()) if (line !== '' && line !== TORN) read(line, index + 1)
  const [header] = headers
  if (!header && torn === 0 && diagnostics.length === 0)
    diagnostics.push({ file, message: 'has no header line of a label log' })
  return { log: header ? { header, actions, torn } : null, diagnostics }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Name of a (query, passage) pair. */
export function pairOf(query: string, passage: string): string {
  return `${query}\n${passage}`
}

/** Standing of a labeller's work: the last act on each thing that was not undone. */
export interface Standing {
  readonly grades: ReadonlyMap<string, Extract<Action, { do: 'grade' }>>
  readonly skipped: ReadonlyMap<string, Extract<Action, { do: 'skip' }>>
  readonly comments: ReadonlyMap<string, Extract<Action, { do: 'comment' }>>
  /** Review of each question. */
  readonly reviews: ReadonlyMap<string, Extract<Action, { do: 'accept' | 'reject' | 'edit' }>>
  /** Last act that can be undone; null without one. */
  readonly last: Action | null
}

/** Folds acts to their standing. */
export function standingOf(actions: readonly Action[]): Standing {
  const undone = new Set(actions.flatMap((action) => (action.do === 'undo' ? [action.of] : [])))
  const standing = {
    grades: new Map<string, Extract<Action, { do: 'grade' }>>(),
    skipped: new Map<string, Extract<Action, { do: 'skip' }>>(),
    comments: new Map<string, Extract<Action, { do: 'comment' }>>(),
    reviews: new Map<string, Extract<Action, { do: 'accept' | 'reject' | 'edit' }>>(),
  }
  let last: Action | null = null
  for (const action of actions) {
    if (action.do === 'undo' || undone.has(action.id)) continue
    last = action
    switch (action.do) {
      case 'grade':
        standing.grades.set(pairOf(action.query, action.passage), action)
        standing.skipped.delete(pairOf(action.query, action.passage))
        break
      case 'skip':
        standing.skipped.set(pairOf(action.query, action.passage), action)
        standing.grades.delete(pairOf(action.query, action.passage))
        break
      case 'comment':
        standing.comments.set(pairOf(action.query, action.passage ?? ''), action)
        break
      default:
        // An edited question that is accepted keeps its wording.
        if (action.do !== 'accept' || standing.reviews.get(action.query)?.do !== 'edit')
          standing.reviews.set(action.query, action)
    }
  }
  return { ...standing, last }
}
