import type { z } from 'zod'
import type { Chat } from '../../../models/completions/chat.ts'
import type { Versioned } from '../../../registry.ts'
import type { Chunk } from '../../../types.ts'
import type { Communities, Graph } from '../graph.ts'

/** Reports and counts of stored rows that were left out: `{reportsWithoutCommunity: 1}`. */
export interface WrittenReports {
  /** Reports in order of their communities; a community may have none. */
  readonly reports: readonly CommunityReport[]
  readonly notices?: Readonly<Record<string, number>>
}

/** Writes community reports. */
export interface ReportWriter<S extends z.ZodObject = z.ZodObject> extends Versioned<S> {
  /** Opens the files before anything is built. Throws a UserError if one is no such file. */
  check?(params: z.output<S>): unknown
  /** True if the language model that the param `model` names writes. */
  readonly asks?: true
  write(input: CommunityReportInput, params: z.output<S>): WrittenReports | Promise<WrittenReports>
}

interface CommunityReportInput {
  readonly graph: Graph
  readonly communities: Communities
  readonly chunks: readonly Chunk[]
  /** Language model; set if `asks`. */
  readonly chat?: Chat
}

export interface CommunityReport {
  readonly community: number
  readonly title: string
  readonly summary: string
  readonly findings: readonly Finding[]
  /** 0 to 10, higher is more important. */
  readonly rank: number
}

/** Finding in GraphRAG's form: a headline and its explanation. */
export interface Finding {
  readonly summary: string
  readonly explanation: string
}

/** Types a writer's definition. */
export function defineReportWriter<S extends z.ZodObject>(writer: ReportWriter<S>): ReportWriter<S> {
  return writer
}

/** Text blocks of a community report in GraphRAG's form. */
export function reportBlocks({ title, summary, findings }: CommunityReport): string[] {
  return [
    `# ${title}`,
    summary,
    ...findings.flatMap((finding) => [`## ${finding.summary}`, finding.explanation]),
  ]
}
