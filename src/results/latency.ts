import { z } from 'zod'

const percentile = z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() })
const pair = z.tuple([z.number(), z.number()]).readonly()

const trial = z.object({
  id: z.string(),
  name: z.string(),
  queries: z.number(),
  repeats: z.number(),
  /** Over the queries, each with the median of its repeats. */
  p50: percentile,
  p95: percentile,
  p99: percentile,
  /** Lowest and highest of the repeats' own percentiles. */
  byRepeat: z.object({ p50: pair, p95: pair }),
  /** Part of `p50` that engines report (`took`). */
  engine: z.object({ p50: percentile, p95: percentile }).optional(),
  /** Part of `p50` in model calls, first measured between these dates. */
  model: z.object({ p50: z.number(), from: z.string(), to: z.string() }).optional(),
  /** True if a model call was never measured. */
  searchOnly: z.boolean().optional(),
  /** First query, before any index was open. */
  cold: z.number(),
})
/** Load average over a minute: before the first query, and the highest while timing. */
const load = z.object({ before: z.number(), highest: z.number(), cores: z.number() })
const latency = z.object({ load, trials: z.array(trial).readonly() })

export type TrialLatency = Readonly<z.infer<typeof trial>>
export type Load = Readonly<z.infer<typeof load>>
/** `timings/latency.json`: milliseconds per query, one query at a time after a warm-up. Not part of the result's hash. */
export type Latency = Readonly<z.infer<typeof latency>>

export function isLatency(value: unknown): value is Latency {
  return latency.safeParse(value).success
}
