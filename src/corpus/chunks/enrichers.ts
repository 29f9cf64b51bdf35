import { z } from 'zod'
import { createRegistry } from '../../registry.ts'
import { hashOf } from '../../store/hash.ts'
import { readYaml } from '../../store/yaml-input.ts'
import { rule, ruleCondition, whereRight } from '../../text/chunk-rules.ts'
import { createPattern, pattern } from '../../text/patterns.ts'
import type { Json } from '../../types.ts'

/** Classifies chunks by rules, without a model. */
export interface Enricher<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** Raised whenever the same rules would give another result for the same chunk. */
  readonly version: number
  readonly summary: string
  readonly params: S
  readonly only?: string
  files?(params: z.output<S>): Readonly<Record<string, string>>
}

/** Rules of each metadata column. */
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
  is_rule_bearing: z.array(ruleCondition).optional().describe('true where one of these holds'),
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

/** Rules in the params or in the file that these name. Throws a UserError with every error of the file and its line. */
export function enrichmentRules({ rules }: Readonly<Record<string, unknown>>): EnrichmentRules {
  return typeof rules === 'string'
    ? readYaml(rules, rulesSchema, 'the rules of enrich').value
    : (rules as EnrichmentRules)
}
