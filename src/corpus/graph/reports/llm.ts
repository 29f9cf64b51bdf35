import { z } from 'zod'
import { listOf, schemaHash } from '../../../models/chat/json.ts'
import { promptParams, promptText } from '../../../models/prompts/prompt.ts'
import { sha256 } from '../../../store/hash.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import { countTokens } from '../../../text/tokens.ts'
import { membersOf } from '../csr.ts'
import type { Communities, Graph } from '../graph.ts'
import { defineReportWriter } from './index.ts'

/** GraphRAG asks for 5 to 10. */
const FINDINGS = 10

const REPORT = z.object({
  title: z.string().min(1),
  summary: z.string().min(1),
  rating: z.number(),
  findings: listOf(z.object({ summary: z.string(), explanation: z.string() }), FINDINGS),
})

/**
 * GraphRAG's community reports from entities and relationships of the highest degree. GraphRAG replaces text that
 * does not fit by reports of sub-communities; here it is left out.
 */
export default defineReportWriter({
  name: 'llm',
  version: 1,
  summary: 'reports by a language model on entities and relationships with their descriptions (GraphRAG)',
  params: z.strictObject({
    ...promptParams(['community']),
    tokens: z
      .int()
      .min(50)
      .max(1_000_000)
      .default(4000)
      .describe('maximum tokens of a community that the model reads'),
  }),
  files: ({ prompt }) => ({ prompt: sha256(templateOf(prompt)), schema: schemaHash(REPORT) }),
  make: ({ tokens, prompt }) => ({
    async write({ graph, communities }, askEach) {
      const template = templateOf(prompt)
      const rows = Array.from({ length: communities.size }, (_, community) => community)
      const reports = await askEach(rows, async (chat, community) => {
        const values = { community: withoutMarks(communityText(graph, communities, community, tokens)) }
        const { rating, ...report } = await chat.json({ template, values }, REPORT)
        return { community, ...report, rank: Math.min(10, Math.max(0, rating)) }
      })
      return { reports: reports.filter((report) => report !== null) }
    },
  }),
})

function templateOf(prompt: string | undefined): string {
  return promptText(prompt, 'community-report', ['community'])
}

/** Entities, then relationships, a line each, as many as fit; at least the first entity. */
export function communityText(
  { entities, relationships }: Graph,
  communities: Communities,
  community: number,
  tokens: number,
): string {
  const byDegree = (degrees: Uint32Array) => (a: number, b: number) => degrees[b] - degrees[a] || a - b
  const members = Array.from(membersOf(communities.entities, community)).sort(byDegree(entities.degrees))
  const inside = Array.from(membersOf(communities.relationships, community)).sort(
    byDegree(relationships.combinedDegrees),
  )
  const named = members.map((row) => line(entities.names[row], entities.descriptions[row]))
  const related = inside.map((row) => {
    const [source, target] = [relationships.sources[row], relationships.targets[row]]
    return line(`${entities.names[source]} -> ${entities.names[target]}`, relationships.descriptions[row])
  })
  // Entities get half of the tokens, relationships the rest.
  const first = fitting(named, related.length > 0 ? tokens / 2 : tokens)
  const texts = first.length > 0 ? first : named.slice(0, 1)
  const rest = fitting(related, tokens - countTokens(texts.join('\n')))
  return ['Entities:', ...texts, ...(rest.length > 0 ? ['', 'Relationships:', ...rest] : [])].join('\n')
}

function line(name: string, description: string): string {
  const text = description.replace(/\s+/g, ' ').trim()
  return text === '' ? `- ${name}` : `- ${name}: ${text}`
}

function fitting(lines: readonly string[], tokens: number): string[] {
  let left = tokens
  const end = lines.findIndex((text) => {
    left -= countTokens(`${text}\n`)
    return left < 0
  })
  return lines.slice(0, end < 0 ? lines.length : end)
}
