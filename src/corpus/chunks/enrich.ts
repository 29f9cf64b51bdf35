import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { createRegistry, type Definition } from '../../registry.ts'
import { hashOf } from '../../store/hash.ts'
import { readYaml } from '../../store/yaml-input.ts'
import {
  createRule,
  everyValue,
  type ReadyRule,
  type RuleInput,
  rule,
  ruleCondition,
  whereRight,
} from '../../text/chunk-rules.ts'
import { headingsOf } from '../../text/headings.ts'
import { createPattern, type Pattern, pattern } from '../../text/patterns.ts'
import type { Chunk, Document, Json, Progress } from '../../types.ts'

const rulesSchema = z.strictObject({
  content_kind: z
    .array(
      rule.refine((condition) => condition.content_kind === undefined, {
        error: 'cannot ask for its own column',
      }),
    )
    .optional()
    .describe('kind of content: that of the first rule that applies'),
  tags: z.array(rule).optional().describe('each rule that applies adds its value'),
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
type EnrichmentRules = z.output<typeof rulesSchema>

const params = z.strictObject({
  rules: z
    .union([z.string().min(1), rulesSchema])
    .meta({ path: true })
    .describe('a YAML file of rules, or the rules: content_kind, tags, traits, page, is_rule_bearing'),
})

const patterns = {
  name: 'patterns',
  version: 1,
  summary: 'metadata by rules of regular expressions',
  params,
  only: 'rules',
  files: (params) => ({ rules: hashOf(enrichmentRules(params) as Json) }),
} satisfies Definition<typeof params>

export const enrichers = createRegistry<Definition>('enricher', [patterns])

export function enrichmentRules({ rules }: Readonly<Record<string, unknown>>): EnrichmentRules {
  return typeof rules === 'string'
    ? readYaml(rules, rulesSchema, 'the rules of enrich').value
    : (rules as EnrichmentRules)
}

/**
 * Adds the results of rules to the metadata of chunks (docs/corpus.md). `page` and `heading_level` are those of the
 * last mark or heading at or before the chunk's beginning.
 */
type Enrich = (chunks: readonly Chunk[], documents: readonly Document[], progress?: Progress) => Chunk[]

export function createEnrich(rules: EnrichmentRules): Enrich {
  const kind = rules.content_kind?.map(createRule)
  const tags = rules.tags?.map(createRule)
  const traits = rules.traits?.map(createRule)
  const bearing = rules.is_rule_bearing?.map(createRule)
  const page = rules.page === undefined ? undefined : createPattern(rules.page)
  return (chunks, documents, progress) => {
    const levels = new Map(documents.map(({ id, text }) => [id, headingsOf(text)]))
    const pages = page && new Map(documents.map((document) => [document.id, pagesOf(document, page)]))
    return chunks.map((chunk, done) => {
      if (done % 100 === 0) progress?.('enriched', done, chunks.length)
      const content_kind = kind ? first(kind, chunk, '') : textIn(chunk.metadata.content_kind)
      const columns = {
        ...(kind && { content_kind }),
        ...(tags && { tags: everyValue(tags, chunk, content_kind) }),
        ...(traits && { traits: everyValue(traits, chunk, content_kind) }),
        ...(pages && { page: lastBefore(chunk.start, pages.get(chunk.documentId))?.page }),
        ...(bearing && { is_rule_bearing: bearing.some((rule) => rule(chunk, content_kind) !== undefined) }),
        heading_level: lastBefore(chunk.start, levels.get(chunk.documentId))?.level,
      }
      return { ...chunk, metadata: replaced(chunk.metadata, columns) }
    })
  }
}

function first(rules: readonly ReadyRule[], chunk: RuleInput, kind: string): string {
  for (const rule of rules) {
    const [value] = rule(chunk, kind) ?? []
    if (value !== undefined) return value
  }
  return ''
}

function pagesOf({ id, text }: Document, mark: Pattern): { readonly start: number; readonly page: number }[] {
  return mark.matches(text).map(({ match, group = '', start }) => {
    const page = Number(group)
    if (group.trim() !== '' && Number.isSafeInteger(page)) return { start, page }
    throw new UserError(
      `\`prepare.enrich\`, page: the group must hold a whole number, and in "${match}" of the document "${id}" it holds "${group}"`,
    )
  })
}

function lastBefore<T extends { readonly start: number }>(
  start: number,
  all: readonly T[] = [],
): T | undefined {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle].start <= start) low = middle + 1
    else high = middle
  }
  return all[low - 1]
}

function replaced(
  metadata: Chunk['metadata'],
  columns: Readonly<Record<string, Json | undefined>>,
): Chunk['metadata'] {
  const fields = Object.entries<Json | undefined>({ ...metadata, ...columns }).filter(
    ([name, value]) => !(Object.hasOwn(columns, name) && isEmpty(value)),
  )
  return Object.fromEntries(fields) as Chunk['metadata']
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
