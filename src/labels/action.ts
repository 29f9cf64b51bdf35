import { z } from 'zod'

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
