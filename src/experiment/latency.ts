import { type CachedModel, type CompletionRequest, observe } from '../models/completions/cached-model.ts'
import type { Latency, TrialLatency } from '../results/latency.ts'
import { createMemo } from '../retrieve/evaluate.ts'
import { percentiles } from '../statistics/intervals.ts'
import type { Artifact } from '../store/artifact.ts'
import { openStore, type Store } from '../store/store.ts'
import type { Progress, Query } from '../types.ts'
import { type CompiledTrial, stepsOf } from './plan/compile.ts'

/** Median over repeats; search and model calls. */
interface QueryLatency {
  readonly trial: string
  readonly query: string
  readonly milliseconds: number
}

interface LatencyOptions {
  readonly queries: number
  readonly repeats: number
  readonly level: number
  readonly clock: () => number
  readonly load: () => number
  readonly cores: number
  readonly progress: Progress
}

/**
 * Times trials as if each ran alone: one query at a time, each with its own memo. After an unmeasured round trials take
 * turns, so that a slow moment affects all. A query's time is the median of its repeats. Model calls take the time that
 * they first took.
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
  const measured = trials.map(() =>
    timed.map(
      (): Measured => ({ search: [], took: [], model: { milliseconds: 0, dates: [], isMeasured: true } }),
    ),
  )
  const models = new Set(
    stepsOf(trials).flatMap(({ step, artifacts }) => (step.asks ? [artifacts.model.key] : [])),
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
        const samples = measured[trial][index]
        samples.search.push(search)
        if (took !== null) samples.took.push(took)
        samples.model = model
      }
    }
    highest = Math.max(highest, load())
    progress('latency', repeat + 2, repeats + 1)
  }
  const rows = trials.map(({ id, name }, trial) => {
    const samples = measured[trial]
    const isMeasured = samples.every(({ model }) => model.isMeasured)
    const inCalls = samples.map(({ model }) => (isMeasured ? model.milliseconds : 0))
    const times = samples.map(({ search }, query) => search.map((time) => time + inCalls[query]))
    const medians = times.map(median)
    const [p50, p95, p99] = percentiles(medians, [0.5, 0.95, 0.99], level)
    const row: TrialLatency = {
      id,
      name,
      queries: timed.length,
      repeats,
      p50,
      p95,
      p99,
      byRepeat: { p50: byRepeat(times, 0.5), p95: byRepeat(times, 0.95) },
      ...engineShare(samples),
      ...(isMeasured ? modelShare(samples) : { searchOnly: true }),
      cold: cold[trial] + inCalls[0],
    }
    const byQuery = timed.map((query, index) => ({
      trial: id,
      query: query.id,
      milliseconds: medians[index],
    }))
    return { row, byQuery }
  })
  return {
    load: { before, highest, cores },
    trials: rows.map(({ row }) => row),
    byQuery: rows.flatMap(({ byQuery }) => byQuery),
  }

  function engineShare(queries: readonly Measured[]): Pick<TrialLatency, 'engine'> {
    if (queries.some(({ took }) => took.length < repeats)) return {}
    const medians = queries.map(({ took }) => median(took))
    const [p50, p95] = percentiles(medians, [0.5, 0.95], level)
    return { engine: { p50, p95 } }
  }

  function modelShare(queries: readonly Measured[]): Pick<TrialLatency, 'model'> {
    const dates = queries.flatMap(({ model }) => model.dates).sort()
    if (dates.length === 0) return {}
    const p50 = median(queries.map(({ model }) => model.milliseconds))
    return { model: { p50, from: dates[0], to: dates[dates.length - 1] } }
  }

  /** Lowest and highest percentile among the repeats. */
  function byRepeat(times: readonly (readonly number[])[], q: number): [number, number] {
    const values = Array.from({ length: repeats }, (_, repeat) => {
      const once = times.map((sample) => sample[repeat])
      return percentiles(once, [q], level)[0].value
    })
    return [Math.min(...values), Math.max(...values)]
  }
}

/** Times of a query, by repeat: searches, and the engine's share where it reports one. */
interface Measured {
  readonly search: number[]
  readonly took: number[]
  model: ModelCalls
}

interface ModelCalls {
  readonly milliseconds: number
  readonly dates: readonly string[]
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

export function evenly<T>(items: readonly T[], count: number): T[] {
  const n = Math.min(count, items.length)
  return Array.from({ length: n }, (_, index) => items[Math.floor((index * items.length) / n)])
}

function median(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b)
  const middle = ascending.length >> 1
  return ascending.length % 2 === 1 ? ascending[middle] : (ascending[middle - 1] + ascending[middle]) / 2
}
