import type { Latency, TrialLatency } from '../results/latency.ts'
import { createMemo } from '../retrieve/evaluate.ts'
import { percentiles } from '../statistics/percentile.ts'
import { openStore, type Store } from '../store/store.ts'
import type { Progress, Query } from '../types.ts'
import type { CompiledTrial } from './plan/compile.ts'

/** Median time of one query in one trial. */
interface QueryLatency {
  readonly trial: string
  readonly query: string
  readonly milliseconds: number
}

interface LatencyOptions {
  /** Number of timed queries, spread evenly over all. */
  readonly queries: number
  /** Number of times each query is timed. */
  readonly repeats: number
  readonly level: number
  readonly clock: () => number
  /** Current load average of the machine. */
  readonly load: () => number
  readonly cores: number
  readonly progress: Progress
}

/**
 * Times trials as if each ran alone: one query at a time, each with a memo of its own, so that nothing is shared between trials
 * or queries. After one unmeasured round, trials take turns query by query, so that a slow moment of the machine affects all of
 * them. The time of a query is the median of its repeats; percentiles are over queries. `cold` is the first query with a new
 * store, which includes opening the indexes.
 */
export async function measureLatency(
  store: Store,
  trials: readonly CompiledTrial[],
  queries: readonly Query[],
  options: LatencyOptions,
): Promise<Latency & { readonly byQuery: readonly QueryLatency[] }> {
  const { repeats, level, clock, load, cores, progress } = options
  const before = load()
  let highest = before
  const timed = evenly(queries, options.queries)
  const samples = trials.map(() => timed.map(() => new Float64Array(repeats)))
  const engines = trials.map(() => timed.map(() => new Float64Array(repeats).fill(Number.NaN)))
  const cold: number[] = []
  for (const trial of trials) {
    const fresh = openStore(store.root)
    cold.push((await time(fresh, trial, timed[0], clock)).spent)
    await fresh.close()
  }
  for (let repeat = -1; repeat < repeats; repeat++) {
    for (let index = 0; index < timed.length; index++) {
      for (let turn = 0; turn < trials.length; turn++) {
        const trial = (turn + index) % trials.length
        const { spent, took } = await time(store, trials[trial], timed[index], clock)
        if (repeat < 0) continue
        samples[trial][index][repeat] = spent
        if (took !== null) engines[trial][index][repeat] = took
      }
    }
    highest = Math.max(highest, load())
    progress('latency', repeat + 2, repeats + 1)
  }
  const rows = trials.map(({ id, name }, trial): TrialLatency => {
    const [p50, p95, p99] = percentiles(samples[trial].map(median), [0.5, 0.95, 0.99], level)
    const spread = { p50: byRepeat(samples[trial], 0.5), p95: byRepeat(samples[trial], 0.95) }
    const row = { id, name, queries: timed.length, repeats, p50, p95, p99, byRepeat: spread }
    return { ...row, ...engineShare(engines[trial]), cold: cold[trial] }
  })
  const byQuery = trials.flatMap(({ id }, trial) =>
    timed.map((query, index) => ({
      trial: id,
      query: query.id,
      milliseconds: median(samples[trial][index]),
    })),
  )
  return { load: { before, highest, cores }, trials: rows, byQuery }

  /** Percentiles of the engines' share; absent if some query has none. */
  function engineShare(times: readonly Float64Array[]): Pick<TrialLatency, 'engine'> {
    if (times.some((own) => own.some(Number.isNaN))) return {}
    const [p50, p95] = percentiles(times.map(median), [0.5, 0.95], level)
    return { engine: { p50, p95 } }
  }

  /** Lowest and highest percentile among the repeats. */
  function byRepeat(times: readonly Float64Array[], q: number): [number, number] {
    const values = Array.from({ length: repeats }, (_, repeat) => {
      const [{ value }] = percentiles(
        times.map((own) => own[repeat]),
        [q],
        level,
      )
      return value
    })
    return [Math.min(...values), Math.max(...values)]
  }
}

async function time(store: Store, { ranking, evidence }: CompiledTrial, query: Query, clock: () => number) {
  const begin = clock()
  const memo = createMemo(store, [query], clock)
  await memo.cells(ranking)
  if (evidence) await memo.cells(evidence)
  return { spent: clock() - begin, took: memo.tookInEngines() }
}

function evenly<T>(items: readonly T[], count: number): T[] {
  const n = Math.min(count, items.length)
  return Array.from({ length: n }, (_, index) => items[Math.floor((index * items.length) / n)])
}

function median(values: Float64Array): number {
  const ascending = values.toSorted()
  const middle = ascending.length >> 1
  return ascending.length % 2 === 1 ? ascending[middle] : (ascending[middle - 1] + ascending[middle]) / 2
}
