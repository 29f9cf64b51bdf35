import type { CachedModel, CompletionRequest } from '../models/completions/cached-model.ts'
import { observe } from '../models/completions/observe.ts'
import type { Latency, TrialLatency } from '../results/latency.ts'
import { createMemo } from '../retrieve/evaluate.ts'
import { expressionsOf } from '../retrieve/step.ts'
import { percentiles } from '../statistics/percentile.ts'
import type { Artifact } from '../store/artifact.ts'
import { openStore, type Store } from '../store/store.ts'
import type { Progress, Query } from '../types.ts'
import { type CompiledTrial, rootsOf } from './plan/compile.ts'

/** Median over repeats; search and model calls. */
interface QueryLatency {
  readonly trial: string
  readonly query: string
  readonly milliseconds: number
}

interface LatencyOptions {
  /** Timed queries, spread evenly. */
  readonly queries: number
  readonly repeats: number
  readonly level: number
  readonly clock: () => number
  /** Load average of the machine. */
  readonly load: () => number
  readonly cores: number
  readonly progress: Progress
}

/**
 * Times trials as if each ran alone: one query at a time, each with its own memo. After an unmeasured round, trials take
 * turns query by query, so that a slow moment affects all. A query's time is the median of its repeats; percentiles are
 * over queries. `cold` is the first query with a new store. Model calls are replayed with the time that they first took.
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
  const calls = trials.map(() =>
    timed.map((): ModelCalls => ({ milliseconds: 0, dates: [], isMeasured: true })),
  )
  const models = new Set(
    expressionsOf(rootsOf(trials)).flatMap(({ step, artifacts }) => (step.asks ? [artifacts.model.key] : [])),
  )
  const cold: number[] = []
  for (const trial of trials) {
    const fresh = openStore(store.root)
    cold.push((await time(fresh, models, trial, timed[0], clock)).search)
    await fresh.close()
  }
  for (let repeat = -1; repeat < repeats; repeat++) {
    for (let index = 0; index < timed.length; index++) {
      for (let turn = 0; turn < trials.length; turn++) {
        const trial = (turn + index) % trials.length
        const { search, took, model } = await time(store, models, trials[trial], timed[index], clock)
        if (repeat < 0) continue
        samples[trial][index][repeat] = search
        calls[trial][index] = model
        if (took !== null) engines[trial][index][repeat] = took
      }
    }
    highest = Math.max(highest, load())
    progress('latency', repeat + 2, repeats + 1)
  }
  for (const [trial, own] of calls.entries()) {
    if (!own.every(({ isMeasured }) => isMeasured)) continue
    cold[trial] += own[0].milliseconds
    for (const [index, { milliseconds }] of own.entries())
      samples[trial][index] = samples[trial][index].map((search) => search + milliseconds)
  }
  const rows = trials.map(({ id, name }, trial): TrialLatency => {
    const [p50, p95, p99] = percentiles(samples[trial].map(median), [0.5, 0.95, 0.99], level)
    const spread = { p50: byRepeat(samples[trial], 0.5), p95: byRepeat(samples[trial], 0.95) }
    const row = { id, name, queries: timed.length, repeats, p50, p95, p99, byRepeat: spread }
    return { ...row, ...engineShare(engines[trial]), ...modelShare(calls[trial]), cold: cold[trial] }
  })
  const byQuery = trials.flatMap(({ id }, trial) =>
    timed.map((query, index) => ({
      trial: id,
      query: query.id,
      milliseconds: median(samples[trial][index]),
    })),
  )
  return { load: { before, highest, cores }, trials: rows, byQuery }

  /** Engines' share; absent if a query has none. */
  function engineShare(times: readonly Float64Array[]): Pick<TrialLatency, 'engine'> {
    if (times.some((own) => own.some(Number.isNaN))) return {}
    const [p50, p95] = percentiles(times.map(median), [0.5, 0.95], level)
    return { engine: { p50, p95 } }
  }

  /** Time in model calls; `searchOnly` if a call was never measured. */
  function modelShare(calls: readonly ModelCalls[]): Pick<TrialLatency, 'model' | 'searchOnly'> {
    if (!calls.every(({ isMeasured }) => isMeasured)) return { searchOnly: true }
    const dates = calls.flatMap((query) => query.dates).sort()
    if (dates.length === 0) return {}
    const p50 = median(Float64Array.from(calls, ({ milliseconds }) => milliseconds))
    return { model: { p50, from: dates[0], to: dates[dates.length - 1] } }
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

/** Replayed calls of one query. */
interface ModelCalls {
  /** Time with at least one call under way. */
  readonly milliseconds: number
  readonly dates: readonly string[]
  /** False if a call's time is unknown. */
  readonly isMeasured: boolean
}

async function time(
  store: Store,
  models: ReadonlySet<string>,
  { ranking, evidence }: CompiledTrial,
  query: Query,
  clock: () => number,
) {
  const replay = replayCalls(store, models)
  const begin = clock()
  const memo = createMemo(replay.store, [query], clock)
  await memo.cells(ranking)
  if (evidence) await memo.cells(evidence)
  const search = clock() - begin
  // Strategies count the calls that they would make with a model.
  const { modelCalls = 0 } = memo.facts(evidence ? [ranking, evidence] : [ranking], 0).counters
  return { search, took: memo.tookInEngines(), model: replay.calls(modelCalls) }
}

/**
 * A store whose models replay completions. Each call takes its recorded time on a simulated clock, so calls overlap
 * within a model's `concurrency`.
 */
function replayCalls(store: Store, models: ReadonlySet<string>) {
  let now = 0
  let timed = 0
  let isUnknown = false
  const dates = new Set<string>()
  const underWay: { readonly end: number; readonly resolve: () => void }[] = []
  /** Times at which a model's concurrent places are free. */
  const places = new Map<string, number[]>()

  function wait({ name, concurrency }: CachedModel, milliseconds: number): Promise<void> {
    const free = places.get(name) ?? []
    places.set(name, free)
    const place = free.length < concurrency ? free.length : free.indexOf(Math.min(...free))
    const end = Math.max(now, free[place] ?? 0) + milliseconds
    free[place] = end
    return new Promise((resolve) => {
      underWay.push({ end, resolve })
      setImmediate(endNext)
    })
  }

  function endNext(): void {
    const [next] = underWay.sort((a, b) => a.end - b.end).splice(0, 1)
    now = next.end
    next.resolve()
  }

  async function replayed(model: CachedModel, request: CompletionRequest) {
    const stored = model.stored(request)
    if (stored?.took || stored?.completion.finish === 'failed') timed++
    else isUnknown = true
    if (stored?.took) {
      dates.add(stored.took.date)
      await wait(model, stored.took.milliseconds)
    }
    return stored
  }

  return {
    store: {
      ...store,
      async open<T>(artifact: Artifact<T>) {
        const content = await store.open(artifact)
        if (!models.has(artifact.key)) return content
        return observe(content as CachedModel, { before: replayed }) as T
      },
    },
    calls: (counted: number): ModelCalls => ({
      milliseconds: now,
      dates: [...dates],
      isMeasured: !isUnknown && timed >= counted,
    }),
  }
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
