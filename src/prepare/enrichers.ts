import { z } from 'zod'
import { createRegistry } from '../registry.ts'
import { hashOf } from '../store/hash.ts'
import { readYaml } from '../store/yaml-input.ts'
import { createPattern, pattern } from '../text/patterns.ts'
import type { Json } from '../types.ts'

/** Says what each chunk is, by rules: no model, always the same for the same text. */
export interface Enricher<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** Raised whenever the same rules would say something else of the same chunk. */
  readonly version: number
  readonly summary: string
  readonly params: S
  readonly only?: string
  files?(params: z.output<S>): Readonly<Record<string, string>>
}

/** Where in a chunk a pattern is looked for. */
const FIELDS = {
  text: pattern.optional().describe('its text'),
  heading: pattern.optional().describe('the last of its headings, or its title where it has none'),
  section: pattern.optional().describe('its headings, outermost first: `Spells > Descriptions > Fireball`'),
  title: pattern.optional().describe('its title'),
  source: pattern.optional().describe("its document's id: of Markdown, the file's path"),
  content_kind: pattern.optional().describe('what the rules of `content_kind` say of it'),
} as const

export type Field = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Field[]

const value = z
  .string()
  .min(1)
  .optional()
  .describe('what is said; else what the one group of the patterns holds')
const split = z.string().min(1).optional().describe('where what the group holds is cut into several')

export interface Rule extends Readonly<Partial<Record<Field, string>>> {
  readonly value?: string
  readonly split?: string
}

/** The patterns of a rule, each with its field. */
export function patternsOf(rule: Rule): [Field, string][] {
  return NAMES.flatMap((field): [Field, string][] => {
    const source = rule[field]
    return source === undefined ? [] : [[field, source]]
  })
}

const whereRight = { when: ({ issues }: { issues: readonly unknown[] }) => issues.length === 0 }
const needsPattern = { ...whereRight, error: `needs a pattern; there are ${NAMES.join(', ')}` }
const hasPattern = (rule: Rule) => patternsOf(rule).length > 0

const condition = z.strictObject(FIELDS).refine(hasPattern, needsPattern)
const rule = z
  .strictObject({ value, ...FIELDS, split })
  .refine(hasPattern, needsPattern)
  .refine((rule) => rule.value !== undefined || groupsOf(rule) === 1, {
    ...whereRight,
    error:
      'says no `value`, so its patterns must have exactly one group `( )` that holds it; `(?: )` is none',
  })
  .refine(({ value, split }) => value === undefined || split === undefined, {
    ...whereRight,
    error: '`split` cuts what a group holds, and there is a `value`',
  })

function groupsOf(rule: Rule): number {
  return patternsOf(rule).reduce((sum, [, source]) => sum + createPattern(source).groups, 0)
}

/** Rules by column. */
const rulesSchema = z.strictObject({
  content_kind: z
    .array(rule.refine((one) => one.content_kind === undefined, { error: 'cannot ask for its own column' }))
    .optional()
    .describe('what kind of content it is: the first rule that holds says it'),
  tags: z.array(rule).optional().describe('every rule that holds adds what it says'),
  traits: z.array(rule).optional().describe('the same'),
  page: pattern
    .refine((source) => createPattern(source).groups === 1, {
      ...whereRight,
      error: 'must have exactly one group `( )`, for the number; `(?: )` is none',
    })
    .optional()
    .describe("the mark in a document's text where a page begins"),
  is_rule_bearing: z.array(condition).optional().describe('true where one of these holds'),
})
export type EnrichmentRules = z.output<typeof rulesSchema>

const params = z.strictObject({
  rules: z
    .union([z.string().min(1), rulesSchema])
    .meta({ path: true })
    .describe('a YAML file of rules, or the rules: content_kind, tags, traits, page, is_rule_bearing'),
})

const patterns = {
  name: 'patterns',
  version: 1,
  summary: 'by regular expressions, as data',
  params,
  only: 'rules',
  files: (params) => ({ rules: hashOf(enrichmentRules(params) as Json) }),
} satisfies Enricher<typeof params>

export const enrichers = createRegistry<Enricher>('enricher', [patterns])

/** The rules that params hold or name. Throws a UserError with every mistake of a file and its line. */
export function enrichmentRules({ rules }: Readonly<Record<string, unknown>>): EnrichmentRules {
  return typeof rules === 'string'
    ? readYaml(rules, rulesSchema, 'the rules of enrich').value
    : (rules as EnrichmentRules)
}
