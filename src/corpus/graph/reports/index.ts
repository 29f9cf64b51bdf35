import { listParts, type Part, typeParts } from '../../../registry.ts'
import type { Chunk } from '../../../types.ts'
import type { AskEach } from '../../writer.ts'
import type { Communities, Graph } from '../graph.ts'

export interface WrittenReports {
  /** Reports in order of their communities; a community may have none. */
  readonly reports: readonly CommunityReport[]
  readonly notices?: Readonly<Record<string, number>>
}

export type ReportWriter = Part<ReportSource>

interface ReportSource {
  /** Opens the files before anything is built. Throws a UserError if one is no such file. */
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

export function reportBlocks({ title, summary, findings }: CommunityReport): string[] {
  return [
    `# ${title}`,
    summary,
    ...findings.flatMap((finding) => [`## ${finding.summary}`, finding.explanation]),
  ]
}

export const reportWriters = listParts<ReportWriter>('report writer', {
  extractive: () => import('./extractive.ts'),
  graphrag: () => import('./graphrag.ts'),
  llm: () => import('./llm.ts'),
})
