import { z } from 'zod'
import type { Analyzer } from '../../../text/tokenize.ts'
import type { Writer } from '../../writer.ts'

/** Maximum o200k tokens of a cluster with four texts or more: `max_length_in_cluster` of RAPTOR. */
export const CLUSTER_TOKENS = 3500

/** Params of the clustering, shared by all summarizers. */
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

/** Texts of each cluster. */
type Clusters = readonly (readonly string[])[]

/** Summary of each cluster; null if the completion could not be parsed. */
export type ClusterSummaries = readonly (string | null)[]

/** Summarises clusters of texts. */
export interface Summarizer<S extends z.ZodObject = z.ZodObject>
  extends Writer<S, Clusters, ClusterSummaries> {
  /** Summarises by rules; absent if a language model does. */
  summarize?(clusters: Clusters, analyze: Analyzer, params: z.output<S>): ClusterSummaries
}

/** Types a summarizer's definition. */
export function defineSummarizer<S extends z.ZodObject>(summarizer: Summarizer<S>): Summarizer<S> {
  return summarizer
}
