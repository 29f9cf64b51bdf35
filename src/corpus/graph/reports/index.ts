import { listParts, type Part, typeParts } from '../../../registry.ts'
import type { Chunk } from '../../../types.ts'
import type { AskEach } from '../../writer.ts'
import type { Communities, Graph } from '../graph.ts'

export interface WrittenReports {
  /** Reports in order of their communities. */
  readonly reports: readonly CommunityReport[]
  readonly notices?: Readonly<Record<string, number>>
}

export type ReportWriter = Part<ReportSource>

export interface ReportSource {
  /** Opens the files before anything is built. Throws a UserError if one is unusable. */
  check?(): unknown
  write(
    input: { readonly graph: Graph; readonly communities: Communities; readonly chunks: readonly Chunk[] },
    askEach: AskEach,
  ): WrittenReports | Promise<WrittenReports>
}

export interface CommunityReport {
  readonly community: number
  readonly title: string
  readonly summary: string
  readonly findings: readonly Finding[]
  /** 0 to 10, higher is more important. */
  readonly rank: number
}

export interface Finding {
  readonly summary: string
  readonly explanation: string
}

export const defineReportWriter = typeParts<ReportSource>()

export function findingOf({ summary, explanation }: Readonly<Record<string, unknown>>): Finding {
  return { summary: String(summary ?? ''), explanation: String(explanation ?? '') }
}

export function reportContent({ title, summary, findings }: CommunityReport): string {
  const blocks = findings.flatMap((finding) => [`## ${finding.summary}`, finding.explanation])
  return [`# ${title}`, summary, ...blocks].join('\n\n')
}

export const reportWriters = listParts<ReportWriter>('report writer', {
  extractive: () => import('./extractive.ts'),
  graphrag: () => import('./graphrag.ts'),
  llm: () => import('./llm.ts'),
})
