import { join } from 'node:path'
import { UserError } from '../../../errors.ts'
import { readText } from '../../../store/input.ts'
import { isMap, parseJson } from '../../../text/json.ts'
import type { Finding } from '../reports/index.ts'

export const NANO_REPORTS = 'kv_store_community_reports.json'

interface NanoCommunity {
  readonly id: string
  readonly level: number
  readonly names: readonly string[]
  readonly below: readonly string[]
  readonly title: string
  readonly summary: string
  readonly rank: number
  readonly findings: readonly Finding[]
}

export function readNanoCommunities(folder: string): {
  readonly file: string
  readonly communities: readonly NanoCommunity[]
} {
  const file = join(folder, NANO_REPORTS)
  const { value, diagnostic } = parseJson(readText(file))
  if (diagnostic) throw new UserError({ file, message: diagnostic.message })
  const communities = Object.entries((value ?? {}) as Record<string, unknown>).map(
    ([id, community]): NanoCommunity => {
      const { level: written, nodes, sub_communities, report_json: report } = fieldsOf(community)
      const [level, below] = [numberOf(written), sub_communities ?? []]
      if (level === undefined || !Array.isArray(nodes) || !Array.isArray(below))
        throw new UserError({
          file,
          message: `the community ${JSON.stringify(id)} has no number "level" or no lists "nodes" and "sub_communities"`,
        })
      const { title, summary, rating, findings } = fieldsOf(report)
      return {
        id,
        level,
        below: below.map(String),
        names: nodes.map((name) => unquoted(String(name))),
        title: String(title ?? `Community ${id}`),
        summary: String(summary ?? ''),
        rank: numberOf(rating) ?? 0,
        findings: (Array.isArray(findings) ? findings : []).map((finding) => {
          const { summary, explanation } = fieldsOf(finding)
          return { summary: String(summary ?? finding ?? ''), explanation: String(explanation ?? '') }
        }),
      }
    },
  )
  if (communities.length === 0) throw new UserError({ file, message: 'holds no community' })
  return { file, communities }
}

/** A number, or a text that is one: models write ratings both ways. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {}
}

/** Text without the quotation marks of a completion, which nano-graphrag keeps around names, types and descriptions. */
export function unquoted(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text
}
