import type { z } from 'zod'
import type { Chunk } from '../../../types.ts'
import type { Writer } from '../../writer.ts'
import type { Communities, Graph } from '../graph.ts'

/** Reports and counts of stored rows that were left out: `{reportsWithoutCommunity: 1}`. */
export interface WrittenReports {
  /** Reports in order of their communities; a community may have none. */
  readonly reports: readonly CommunityReport[]
  readonly notices?: Readonly<Record<string, number>>
}

interface ReportedGraph {
  readonly graph: Graph
  readonly communities: Communities
}

/** Writes community reports. */
export interface ReportWriter<S extends z.ZodObject = z.ZodObject>
  extends Writer<S, ReportedGraph, readonly CommunityReport[]> {
  /** Opens the files before anything is built. Throws a UserError if one is no such file. */
  check?(params: z.output<S>): unknown
  /** Writes by rules, or reads stored reports; absent if a language model writes. */
  write?(
    input: ReportedGraph & { readonly chunks: readonly Chunk[] },
    params: z.output<S>,
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
