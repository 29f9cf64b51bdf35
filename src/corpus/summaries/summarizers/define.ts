import { z } from 'zod'
import type { Chat } from '../../../models/completions/chat.ts'
import type { Versioned } from '../../../registry.ts'
import type { Analyzer } from '../../../text/tokenize.ts'

/** Params of the clustering, shared by all summarizers. */
export const clusterParams = {
  size: z.int().min(4).max(1000).default(10).describe('maximum texts of a cluster'),
  layers: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .describe('layers of summaries at most; none is made of `size` texts or fewer'),
  inputTokens: z
    .int()
    .min(50)
    .max(1_000_000)
    .default(3500)
    .describe('maximum o200k tokens of a cluster with four texts or more; the rest is cut'),
  seed: z.int().min(0).max(0xffffffff).default(0).describe('seed of the clusters'),
}

export type ClusterParams = z.output<z.ZodObject<typeof clusterParams>>

/** Summarises clusters of texts. */
export interface Summarizer<S extends z.ZodObject = z.ZodObject> extends Versioned<S> {
  /** True if the language model that the param `model` names summarises. */
  readonly asks?: true
  /** Summary of each cluster; null if the completion could not be parsed. */
  summarize(input: SummarizerInput, params: z.output<S>): Promise<ClusterSummaries> | ClusterSummaries
}

interface SummarizerInput {
  /** The texts of each cluster. */
  readonly clusters: readonly (readonly string[])[]
  readonly analyze: Analyzer
  /** Language model; set if `asks`. */
  readonly chat?: Chat
}

export type ClusterSummaries = readonly (string | null)[]

/** Types a summarizer's definition. */
export function defineSummarizer<S extends z.ZodObject>(summarizer: Summarizer<S>): Summarizer<S> {
  return summarizer
}
