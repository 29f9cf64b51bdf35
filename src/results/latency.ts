import { z } from 'zod'
import type { Percentile } from '../statistics/percentile.ts'

/**
 * `timings/latency.json`: milliseconds per query, one query at a time after a warm-up. Not part of the result's hash.
 */
export interface Latency {
  readonly load: Load
  readonly trials: readonly TrialLatency[]
}

/** Load average over a minute: before the first query, and the highest while timing. */
export interface Load {
  readonly before: number
  readonly highest: number
  readonly cores: number
}

export interface TrialLatency {
  readonly id: string
  readonly name: string
  readonly queries: number
  readonly repeats: number
  /** Over the queries, each with the median of its repeats. */
  readonly p50: Percentile
  readonly p95: Percentile
  readonly p99: Percentile
  /** Lowest and highest of the repeats' own percentiles. */
  readonly byRepeat: { readonly p50: readonly [number, number]; readonly p95: readonly [number, number] }
  /** Part of `p50` that engines report (`took`). */
  readonly engine?: { readonly p50: Percentile; readonly p95: Percentile } | undefined
  /** Part of `p50` in model calls, first measured between these dates. */
  readonly model?: { readonly p50: number; readonly from: string; readonly to: string } | undefined
  /** True if a model call was never measured. */
  readonly searchOnly?: boolean | undefined
  /** First query, before any index was open. */
  readonly cold: number
}

const percentile = z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() })
const pair = z.tuple([z.number(), z.number()])
const latency = z.object({
  load: z.object({ before: z.number(), highest: z.number(), cores: z.number() }),
  trials: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      queries: z.number(),
      repeats: z.number(),
      cold: z.number(),
      p50: percentile,
      p95: percentile,
      p99: percentile,
      byRepeat: z.object({ p50: pair, p95: pair }),
      engine: z.object({ p50: percentile, p95: percentile }).optional(),
      model: z.object({ p50: z.number(), from: z.string(), to: z.string() }).optional(),
      searchOnly: z.boolean().optional(),
    }),
  ),
})

export function isLatency(value: unknown): value is Latency {
  return latency.safeParse(value).success
}
