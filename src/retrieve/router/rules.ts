import { z } from 'zod'
import { hashFile } from '../../store/input.ts'
import { readYaml } from '../../store/yaml-input.ts'
import { matchesOf, pattern } from '../../text/patterns.ts'
import { sentences } from '../../text/sentences.ts'

/**
 * Rules of a router, as data: the first rule whose conditions all hold names the arm. An arm is the name of a strategy,
 * or a name that the config ties to one of its trials.
 */
export const routeCondition = {
  any: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('words or phrases, one of which begins somewhere in the query, without regard to case'),
  capitalised: z.int().min(1).optional().describe('at least so many words that begin with a capital letter'),
  names: z
    .int()
    .min(1)
    .optional()
    .describe('at least so many words that begin with a capital letter and are not first in a sentence'),
  pattern: pattern.optional().describe('a regular expression found in the query, without regard to case'),
}

/** Arguments of a schema's `refine`: at least one of the conditions, or of `more`, is set. */
export function needsCondition(...more: string[]) {
  const conditions = [...Object.keys(routeCondition), ...more]
  const named = conditions.map((key) => `\`${key}\``).join(', ')
  return [
    (condition: Readonly<Record<string, unknown>>) => conditions.some((key) => condition[key] !== undefined),
    { error: `needs a condition: ${named.replace(/, (?=[^,]*$)/, ' or ')}` },
  ] as const
}

const rule = z
  .strictObject({
    name: z.string().min(1).optional(),
    ...routeCondition,
    found: z
      .int()
      .min(1)
      .optional()
      .describe('at least so many names found: those recorded in `names`, else names and dates by rules'),
    arm: z.string().min(1),
  })
  .refine(...needsCondition('found'))

export const rulesSchema = z.strictObject({ rules: z.array(rule), otherwise: z.string().min(1) })

export type Rules = z.output<typeof rulesSchema>
type RouteRule = Rules['rules'][number]

/** Rule sets by name; the first is the default. */
const NAMED = {
  names: { rules: [{ name: 'names', names: 1, arm: 'title-ppr' }], otherwise: 'hybrid' },
  /** As the seed document has them: `capitalised` counts the first word of a question too. */
  'seed-003': {
    rules: [
      { name: 'summarise', any: ['summarize', 'summarise', 'overview', 'landscape'], arm: 'graphrag-global' },
      { name: 'names', capitalised: 2, arm: 'graphrag-local' },
      { name: 'relations', any: ['relationship', 'connect', 'link'], arm: 'lightrag' },
      { name: 'facts', any: ['what is', 'define', 'who is'], arm: 'hybrid' },
    ],
    otherwise: 'hybrid',
  },
  /** Rules `seed-003` with words found anywhere, as `link` in `blink`, like the code of the third description. */
  'seed-003-substring': {
    rules: [
      { name: 'summarise', pattern: 'summari[sz]e|overview|landscape', arm: 'graphrag-global' },
      { name: 'names', capitalised: 2, arm: 'graphrag-local' },
      { name: 'relations', pattern: 'relationship|connect|link', arm: 'lightrag' },
      { name: 'facts', pattern: 'what is|define|who is', arm: 'hybrid' },
    ],
    otherwise: 'hybrid',
  },
} satisfies Readonly<Record<string, Rules>>

export const RULE_SETS = Object.keys(NAMED)

export const DEFAULT_RULES = 'names' satisfies keyof typeof NAMED

/** Instead of rules: the router is fitted to its arms' rankings after the run. */
export const FITTED = 'fitted'

export function isFitted({
  strategy,
  params,
}: {
  strategy: string
  params: { readonly rules?: unknown }
}): boolean {
  return strategy === 'router' && params.rules === FITTED
}

export function armsOf({ rules, otherwise }: Rules): string[] {
  return [...new Set([...rules.map(({ arm }) => arm), otherwise])]
}

const WHAT = `the rules of router, where they are not ${RULE_SETS.join(' or ')}`

/** The rules of that name, or those in a YAML or JSON file. Throws a UserError with every error and its location. */
export function readRules(path: string): Rules {
  return isNamed(path) ? NAMED[path] : readYaml(path, rulesSchema, WHAT).value
}

function isNamed(name: string): name is keyof typeof NAMED {
  return Object.hasOwn(NAMED, name)
}

/** SHA-256 of a rules file, by param; empty for built-in rules. Throws a UserError if the file is missing. */
export function hashRules(path: string): Readonly<Record<string, string>> {
  return isNamed(path) || path === FITTED ? {} : { rules: hashFile(path, WHAT) }
}

export interface Route {
  readonly arm: string
  /** Name or number (from 1) of the first rule that applies; else `otherwise`. */
  readonly rule: string
  /** Reason for the match in the query, as text. */
  readonly because: string
}

export function asksNames({ rules }: Rules): boolean {
  return rules.some(({ found }) => found !== undefined)
}

/** Chooses the arm for a query, in which `names` were found: the first rule whose conditions all hold, else `otherwise`. */
export function routeByRules(
  text: string,
  { rules, otherwise }: Rules,
  names: readonly string[] = [],
): Route {
  for (const [i, rule] of rules.entries()) {
    const { found = 0 } = rule
    const others = reasons(text, rule)
    const because = others && found > 0 ? [`names found: ${names.join(', ')}`, ...others] : others
    if (because && names.length >= found)
      return { arm: rule.arm, rule: rule.name ?? `rule ${i + 1}`, because: because.join(', ') }
  }
  return { arm: otherwise, rule: 'otherwise', because: 'no rule holds' }
}

export type RouteCondition = Omit<RouteRule, 'arm' | 'name' | 'found'>

/** Reasons why all conditions of a rule hold; undefined if one does not. */
export function reasons(
  text: string,
  { any, capitalised, names, pattern }: RouteCondition,
): string[] | undefined {
  const matched: string[] = []
  if (any) {
    const phrase = any.find((candidate) => beginsIn(text, candidate))
    if (phrase === undefined) return undefined
    matched.push(`it says "${phrase}"`)
  }
  if (capitalised !== undefined) {
    const words = text.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word))
    if (words.length < capitalised) return undefined
    matched.push(`${words.length} words begin with a capital letter: ${words.join(', ')}`)
  }
  if (names !== undefined) {
    const words = namesIn(text)
    if (words.length < names) return undefined
    matched.push(
      `${words.length} ${words.length === 1 ? 'word looks like a name' : 'words look like names'}: ${words.join(', ')}`,
    )
  }
  if (pattern !== undefined) {
    const [match] = matchesOf(pattern, text)
    if (match === undefined) return undefined
    matched.push(`"${match}" matches ${pattern}`)
  }
  return matched
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’](?=\p{L}))*/gu

/** Words that begin with a capital letter and are not the first of a sentence. A lone capital ("I", "I'm") is none. */
export function namesIn(text: string): string[] {
  return sentences(text).flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(WORD)]
      .slice(1)
      .map(([word]) => word)
      .filter((word) => /^\p{Lu}(?:['’]\p{Lu})?[\p{L}\p{N}]/u.test(word)),
  )
}

/** True if a phrase begins at the start of a word: `link` in "linked", not in "blink". */
function beginsIn(text: string, phrase: string): boolean {
  const lower = text.toLowerCase()
  const wanted = phrase.toLowerCase()
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1))
    if (!/[\p{L}\p{M}\p{N}]$/u.test(lower.slice(0, at))) return true
  return false
}
