import { z } from 'zod'
import { hashOf } from '../../../store/hash.ts'
import { readYaml } from '../../../store/yaml-input.ts'
import { createRule, everyValue, rule } from '../../../text/chunk-rules.ts'
import { sectionPath } from '../../../text/headings.ts'
import type { Json } from '../../../types.ts'
import { defineExtractor, type Link, type Mention } from './index.ts'

const rulesSchema = z.record(z.string(), z.array(rule))

const params = z.strictObject({
  rules: z
    .union([z.string().min(1), rulesSchema])
    .meta({ path: true })
    .describe('a YAML file of rules, or the rules, by relation: {requires_level: [{text: PATTERN}]}'),
})

/** Relates a chunk's heading to each result of a rule; the rules' key names the relation. */
export default defineExtractor({
  name: 'patterns',
  version: 1,
  summary: 'typed relations of headings by rules: has_trait, describes, requires_level, your own',
  params,
  only: 'rules',
  files: ({ rules }) => ({ rules: hashOf(readRules(rules) as Json) }),
  make: ({ rules }) => ({
    extract({ chunks }) {
      const ready = Object.entries(readRules(rules)).map(([relation, all]) => ({
        relation,
        predicate: relation.replaceAll('_', ' '),
        rules: all.map(createRule),
      }))
      const mentions: Mention[] = []
      const links: Link[] = []
      const notices = { untitled: 0 }
      chunks.forEach((chunk, row) => {
        const source = sectionPath(chunk).at(-1)
        if (source === undefined) {
          notices.untitled++
          return
        }
        const { content_kind: kind } = chunk.metadata
        for (const { relation, predicate, rules } of ready)
          for (const target of everyValue(rules, chunk, typeof kind === 'string' ? kind : '')) {
            mentions.push({ name: source, chunk: row, count: 1 }, { name: target, chunk: row, count: 1 })
            links.push({ source, target, predicate, relation, chunk: row, weight: 1 })
          }
      })
      return { mentions, links, describe: { separator: ' ', tokens: 100 }, notices }
    },
  }),
})

function readRules(rules: z.output<typeof params>['rules']): z.output<typeof rulesSchema> {
  return typeof rules === 'string'
    ? readYaml(rules, rulesSchema, 'the rules of prepare.graph: patterns').value
    : rules
}
