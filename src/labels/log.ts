import { z } from 'zod'
import type { Diagnostic } from '../errors.ts'
import { fieldComplaint } from '../text/schema-words.ts'

/**
 * Log of one labeller: a header line, then one act a line. A line that a crash cut off is left out, and the next act writes a line that
 * says so.
 */
export interface Log {
  readonly header: LogHeader
  readonly actions: readonly Action[]
  readonly torn: number
}

/** Line behind one that a crash cut off. */
export const TORN = '{"do":"torn"}'

/** Reads a log with its wrong lines. Null if nothing was stored before a crash. */
export function parseLog(text: string, file: string): { log: Log | null; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const lines = text.split('\n')
  const lineOf = new Map<string, number>()
  const actions: Action[] = []
  const headers: LogHeader[] = []
  let torn = 0
  const read = (line: string, number: number): void => {
    const wrong = (message: string) => void diagnostics.push({ file, line: number, message })
    const record = jsonOf(line)
    if (record === undefined) {
      if (number === lines.length || lines[number] === TORN) torn++
      else wrong('is no JSON object on a line of its own; restore the line, or delete it')
      return
    }
    const { data, error } = (headers.length > 0 ? actionSchema : headerSchema).safeParse(record)
    if (error) {
      for (const issue of error.issues) wrong(fieldComplaint(issue, record))
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

export function pairOf(query: string, passage: string): string {
  return `${query}\n${passage}`
}

/** Standing of a labeller's work: the last act on each thing that was not undone. */
export interface Standing {
  readonly grades: ReadonlyMap<string, Extract<Action, { do: 'grade' }>>
  readonly skipped: ReadonlyMap<string, Extract<Action, { do: 'skip' }>>
  readonly comments: ReadonlyMap<string, Extract<Action, { do: 'comment' }>>
  readonly reviews: ReadonlyMap<string, Extract<Action, { do: 'accept' | 'reject' | 'edit' }>>
  /** Last act that can be undone; null without one. */
  readonly last: Action | null
}

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

/** Grades of a passage for a question, after UMBRELA. */
export const GRADES = [
  { grade: 0, name: 'not relevant', definition: 'The passage has nothing to do with the question.' },
  { grade: 1, name: 'related', definition: 'The passage is about the subject but does not answer.' },
  {
    grade: 2,
    name: 'partly answers',
    definition: 'The passage has some of the answer, or the answer is unclear or hidden.',
  },
  { grade: 3, name: 'answers', definition: 'The passage is about the question and has the whole answer.' },
] as const

/** Lowest grade that counts as relevant unless a labelled set says otherwise. */
export const RELEVANT = 2

/** Name of a labeller, which is the name of a file too. */
export const labellerName = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,38}[\p{L}\p{N}])?$/u,
    'must be 1 to 40 letters, digits, spaces, dots, hyphens or underscores, a letter or digit at both ends',
  )

const base = {
  id: z.string().min(1).max(64),
  at: z.iso.datetime('must be a time such as 2026-11-25T10:00:00Z'),
}
const query = z.string().min(1)
const passage = z.string().regex(/^[0-9a-f]{16}$/, 'must be the id of a passage: 16 hexadecimal digits')
const comment = z.string().max(4000)

/** Acts of a labeller as a log holds them: nothing is ever changed, an undo names the act that it takes back. */
export const actionSchema = z.discriminatedUnion('do', [
  z.strictObject({ ...base, do: z.literal('grade'), query, passage, grade: z.int().min(0).max(3) }),
  z.strictObject({ ...base, do: z.literal('skip'), query, passage }),
  z.strictObject({ ...base, do: z.literal('comment'), query, passage: passage.optional(), text: comment }),
  z.strictObject({ ...base, do: z.literal('accept'), query }),
  z.strictObject({ ...base, do: z.literal('reject'), query }),
  z.strictObject({ ...base, do: z.literal('edit'), query, text: z.string().trim().min(1).max(4000) }),
  z.strictObject({ ...base, do: z.literal('undo'), of: z.string().min(1) }),
])
export type Action = z.output<typeof actionSchema>
/** An act before it has an id and a time. */
export type Act = Action extends infer A ? (A extends Action ? Omit<A, 'id' | 'at'> : never) : never

export const headerSchema = z.strictObject({
  touchstone: z.literal('label log'),
  format: z.literal(1),
  labeller: labellerName,
  kind: z.enum(['person', 'model']),
  /** Model and prompt of a model. */
  by: z.string().optional(),
})
export type LogHeader = z.output<typeof headerSchema>
