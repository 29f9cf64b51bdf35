import { z } from 'zod'

/**
 * Rules of a router, as data: the first rule whose conditions all hold names the arm. An arm is the name of a strategy,
 * or a name that the config ties to one of its trials.
 */
const condition = {
  any: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('words or phrases, one of which begins somewhere in the query, without regard to case'),
  capitalised: z.int().min(1).optional().describe('at least so many words that begin with a capital letter'),
  pattern: z
    .string()
    .min(1)
    .refine(isPattern, 'is no regular expression')
    .optional()
    .describe('a regular expression found in the query, without regard to case'),
}

const rule = z
  .strictObject({ name: z.string().min(1).optional(), ...condition, arm: z.string().min(1) })
  .refine(
    (given) => Object.keys(condition).some((key) => given[key as keyof typeof condition] !== undefined),
    {
      error: 'needs a condition: any, capitalised or pattern',
    },
  )

export const rulesSchema = z.strictObject({ rules: z.array(rule), otherwise: z.string().min(1) })

export type Rules = z.output<typeof rulesSchema>
export type Rule = Rules['rules'][number]

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'iu')
    return true
  } catch {
    return false
  }
}

/** Seed document 003's. */
export const DEFAULT_RULES: Rules = {
  rules: [
    { name: 'summarise', any: ['summarize', 'summarise', 'overview', 'landscape'], arm: 'graphrag-global' },
    { name: 'names', capitalised: 2, arm: 'graphrag-local' },
    { name: 'relations', any: ['relationship', 'connect', 'link'], arm: 'lightrag' },
    { name: 'facts', any: ['what is', 'define', 'who is'], arm: 'hybrid' },
  ],
  otherwise: 'hybrid',
}

/** Every arm that the rules may choose, each once. */
export function armsOf({ rules, otherwise }: Rules): string[] {
  return [...new Set([...rules.map(({ arm }) => arm), otherwise])]
}
