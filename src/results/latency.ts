import { z } from 'zod'
import type { Percentile } from '../statistics/percentile.ts'

/**
 * `timings/latency.json`: times of the latency pass, one query at a time after a warm-up. Next to the result, never
 * part of its hash. All times in milliseconds a query.
 */
export interface Latency {
  readonly load: Load
  readonly trials: readonly TrialLatency[]
}

/** The machine's load average over a minute: before the first query, the highest while timing, and its cores. */
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
  /** The lowest and the highest of the repeats' own p50 and p95: how far one repeat differs from the next. */
  readonly byRepeat: { readonly p50: readonly [number, number]; readonly p95: readonly [number, number] }
  /** Share of engines, as they report it (`took`); the rest of `p50` is here and on the way. Absent if none reports it. */
  readonly engine?: { readonly p50: Percentile; readonly p95: Percentile } | undefined
  /** Part of `p50` in model calls, as first measured between these dates; absent without model calls. */
  readonly model?: { readonly p50: number; readonly from: string; readonly to: string } | undefined
  /** True if a model call was never measured: the times are of the search only. */
  readonly searchOnly?: boolean | undefined
  /** One query, the first one, with indexes that were not open yet. */
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

/** True if a parsed `latency.json` has the form that a run writes. */
export function isLatency(value: unknown): value is Latency {
  return latency.safeParse(value).success
}
