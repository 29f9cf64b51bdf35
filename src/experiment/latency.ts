import type { Latency, TrialLatency } from '../results/latency.ts'
import { percentiles } from '../statistics/percentile.ts'
import { createMemo } from '../steps/evaluate.ts'
import { openStore, type Store } from '../store/store.ts'
import type { Progress, Query } from '../types.ts'
import type { CompiledTrial } from './compile.ts'

export interface LatencyOptions {
  /** Queries that are timed, spread evenly over all. */
  readonly queries: number
  /** How often each is timed. */
  readonly repeats: number
  readonly level: number
  readonly seed: number
  readonly clock: () => number
  readonly progress: Progress
}

/** Draws of the intervals. */
const DRAWS = 1000

/**
 * Times trials as they would run alone: one query at a time, each with a memo of its own, so nothing is shared between
 * trials or queries. After one unmeasured round, trials take turns query by query, so that a slow moment of the
 * machine hits all of them. A query's time is the median of its repeats; percentiles go over queries. `cold` is the
 * first query with a store of its own: what opening the indexes costs, apart.
 */
export async function measureLatency(
  store: Store,
  trials: readonly CompiledTrial[],
  queries: readonly Query[],
  options: LatencyOptions,
): Promise<Latency> {
  const { repeats, level, seed, clock, progress } = options
  const timed = spread(queries, options.queries)
  const samples = trials.map(() => timed.map(() => new Float64Array(repeats)))
  const cold: number[] = []
  for (const trial of trials) {
    const fresh = openStore(store.root)
    cold.push(await time(fresh, trial, timed[0], clock))
    await fresh.close()
  }
  for (let repeat = -1; repeat < repeats; repeat++) {
    for (let place = 0; place < timed.length; place++) {
      for (let turn = 0; turn < trials.length; turn++) {
        const trial = (turn + place) % trials.length
        const spent = await time(store, trials[trial], timed[place], clock)
        if (repeat >= 0) samples[trial][place][repeat] = spent
      }
    }
    progress('latency', repeat + 2, repeats + 1)
  }
  const rows = trials.map(({ id, name }, trial): TrialLatency => {
    const medians = samples[trial].map(median)
    const [p50, p95, p99] = percentiles(medians, [0.5, 0.95, 0.99], { level, draws: DRAWS, seed })
    return { id, name, queries: timed.length, repeats, p50, p95, p99, cold: cold[trial] }
  })
  return { trials: rows }
}

async function time(store: Store, { ranking, evidence }: CompiledTrial, query: Query, clock: () => number) {
  const begin = clock()
  const memo = createMemo(store, [query], clock)
  await memo.cells(ranking)
  if (evidence) await memo.cells(evidence)
  return clock() - begin
}

function spread<T>(items: readonly T[], count: number): T[] {
  const n = Math.min(count, items.length)
  return Array.from({ length: n }, (_, place) => items[Math.floor((place * items.length) / n)])
}

function median(values: Float64Array): number {
  const ascending = values.toSorted()
  const middle = ascending.length >> 1
  return ascending.length % 2 === 1 ? ascending[middle] : (ascending[middle - 1] + ascending[middle]) / 2
}
