import { z } from 'zod'
import type { Chunk } from '../types.ts'
import { headingPath } from './headings.ts'
import { textsIn } from './json.ts'
import { createPattern, pattern } from './patterns.ts'

const FIELDS = {
  text: pattern.optional().describe('its text'),
  heading: pattern.optional().describe('the last of its headings, or its title where it has none'),
  section: pattern.optional().describe('its headings, outermost first: `Spells > Descriptions > Fireball`'),
  title: pattern.optional().describe('its title'),
  source: pattern.optional().describe("its document's id: of Markdown, the file's path"),
  content_kind: pattern.optional().describe('result of the rules of `content_kind`'),
} as const

type Field = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Field[]

const SAID = {
  value: z.string().min(1).optional().describe('value of the rule'),
  metadata: z.string().min(1).optional().describe('a field of the metadata: the texts in it are said'),
  split: z
    .string()
    .min(1)
    .optional()
    .describe('without both the one group of the patterns says it, cut into several here'),
} as const

interface ChunkRule extends Readonly<Partial<Record<Field, string>>> {
  readonly value?: string
  readonly metadata?: string
  readonly split?: string
}

function patternsOf(rule: ChunkRule): [Field, string][] {
  return NAMES.flatMap((field): [Field, string][] => {
    const source = rule[field]
    return source === undefined ? [] : [[field, source]]
  })
}

/** For a refinement that only what is otherwise right is asked. */
export const whereRight = { when: ({ issues }: { issues: readonly unknown[] }) => issues.length === 0 }
const fields = NAMES.join(', ')
const hasPattern = (rule: ChunkRule) => patternsOf(rule).length > 0
const isTold = (rule: ChunkRule) => rule.value !== undefined || rule.metadata !== undefined

export const ruleCondition = z
  .strictObject(FIELDS)
  .refine(hasPattern, { ...whereRight, error: `needs a pattern; there are ${fields}` })
export const rule = z
  .strictObject({ ...SAID, ...FIELDS })
  .refine((rule) => hasPattern(rule) || rule.metadata !== undefined, {
    ...whereRight,
    error: `needs a pattern, or \`metadata\`; there are ${fields}`,
  })
  .refine((rule) => isTold(rule) || !hasPattern(rule) || groupsOf(rule) === 1, {
    ...whereRight,
    error:
      'says no `value`, so its patterns must have exactly one group `( )` that holds it; `(?: )` is none',
  })
  .refine(({ value, metadata }) => value === undefined || metadata === undefined, {
    ...whereRight,
    error: 'has both `value` and `metadata`',
  })
  .refine((rule) => !isTold(rule) || rule.split === undefined, {
    ...whereRight,
    error: '`split` cuts what a group holds, and nothing is read of one',
  })

function groupsOf(rule: ChunkRule): number {
  return patternsOf(rule).reduce((sum, [, source]) => sum + createPattern(source).groups, 0)
}

export type RuleInput = Pick<Chunk, 'documentId' | 'section' | 'title' | 'text' | 'metadata'>

/** Compiled rule: the values for a chunk of this kind, or undefined if the rule does not hold. */
export type ReadyRule = (chunk: RuleInput, kind: string) => readonly string[] | undefined

export function createRule(rule: ChunkRule): ReadyRule {
  const conditions = patternsOf(rule).map(([field, source]) => ({ field, pattern: createPattern(source) }))
  return (chunk, kind) => {
    let values = said(rule, chunk)
    for (const { field, pattern } of conditions) {
      const text = fieldOf(chunk, kind, field)
      if (isTold(rule) || pattern.groups === 0) {
        if (!pattern.isIn(text)) return undefined
        continue
      }
      const matches = pattern.matches(text)
      if (matches.length === 0) return undefined
      values = matches.flatMap(({ group = '' }) =>
        rule.split === undefined ? [group] : group.split(rule.split),
      )
    }
    return values.map((value) => value.trim()).filter((value) => value !== '')
  }
}

function said({ value, metadata: name }: ChunkRule, { metadata }: RuleInput): string[] {
  if (name !== undefined) return Object.hasOwn(metadata, name) ? textsIn(metadata[name]) : []
  return value === undefined ? [] : [value]
}

function fieldOf({ documentId, section, title, text }: RuleInput, kind: string, field: Field): string {
  switch (field) {
    case 'text':
      return text
    case 'heading':
      return section.at(-1) ?? title
    case 'section':
      return headingPath({ section, title })
    case 'title':
      return title
    case 'source':
      return documentId
    case 'content_kind':
      return kind
  }
}

export function everyValue(rules: readonly ReadyRule[], chunk: RuleInput, kind: string): string[] {
  return [...new Set(rules.flatMap((rule) => rule(chunk, kind) ?? []))]
}
