import { z } from 'zod'
import type { Chat } from '../../../models/completions/chat.ts'
import type { Analyzer } from '../../../text/tokenize.ts'

/** How clusters are made, whoever summarises them. */
export const clusterParams = {
  size: z.int().min(4).max(1000).default(10).describe('how many texts a cluster has at most'),
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
    .describe('o200k tokens of a cluster with four texts or more, at most; what is longer is cut there'),
  seed: z.int().min(0).max(0xffffffff).default(0).describe('of the clusters'),
}

export type ClusterParams = z.output<z.ZodObject<typeof clusterParams>>

/** A way to summarise clusters of texts. */
export interface Summarizer<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** Raised whenever the same clusters and params would give other summaries. */
  readonly version: number
  readonly summary: string
  /** `clusterParams` among them. */
  readonly params: S
  /** SHA-256 of each file that the params name. Throws a UserError where one is missing. */
  files?(params: z.output<S>): Readonly<Record<string, string>>
  /** Whether a language model summarises: the one that the param `model` names, by `talk`. */
  readonly asks?: true
  /** By cluster; null where no answer could be read. */
  summarize(input: SummarizerInput, params: z.output<S>): Promise<ClusterSummaries> | ClusterSummaries
}

export interface SummarizerInput {
  /** The texts of each cluster. */
  readonly clusters: readonly (readonly string[])[]
  readonly analyze: Analyzer
  /** The language model, for summarizers that ask one. */
  readonly chat?: Chat
}

export type ClusterSummaries = readonly (string | null)[]

/** Gives a summarizer's definition its types. */
export function defineSummarizer<S extends z.ZodObject>(summarizer: Summarizer<S>): Summarizer<S> {
  return summarizer
}
