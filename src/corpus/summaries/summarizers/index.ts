import { z } from 'zod'
import { listParts, type Part, typeParts } from '../../../registry.ts'
import type { Analyzer } from '../../../text/tokenize.ts'
import type { AskEach } from '../../writer.ts'

/** Maximum o200k tokens of a cluster with four texts or more: `max_length_in_cluster` of RAPTOR. */
export const CLUSTER_TOKENS = 3500

export const clusterParams = {
  size: z
    .int()
    .min(4)
    .max(1000)
    .default(10)
    .describe('maximum texts of a cluster; a layer of so many texts or fewer is not summarised'),
  seed: z.int().min(0).max(0xffffffff).default(0).describe('seed of the clusters'),
}

export type ClusterParams = z.output<z.ZodObject<typeof clusterParams>>

type Clusters = readonly (readonly string[])[]

/** Null for an unreadable completion. */
type ClusterSummaries = readonly (string | null)[]

export type Summarizer = Part<SummarySource>

export interface SummarySource {
  summarize(
    input: { readonly clusters: Clusters; readonly analyze: Analyzer },
    askEach: AskEach,
  ): ClusterSummaries | Promise<ClusterSummaries>
}

export const defineSummarizer = typeParts<SummarySource>()

export const summarizers = listParts<Summarizer>('summarizer', {
  extractive: () => import('./extractive.ts'),
  llm: () => import('./llm.ts'),
})
