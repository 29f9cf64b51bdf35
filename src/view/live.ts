import { statSync } from 'node:fs'
import { readPlan, type StoredPlan, shardsOf } from '../experiment/plan/plan.ts'
import type { RecordedStep } from '../experiment/progress-file.ts'
import { isWhole, listParts, type Part, type PartScores, readScores } from '../experiment/shard/parts.ts'
import { rangeOf } from '../metrics/define.ts'
import type { Estimate } from '../results/summary.ts'
import { meanInterval } from '../statistics/mean-interval.ts'
import { momentsOf } from '../statistics/summarize.ts'

/** An unfinished experiment. */
export interface Live {
  readonly plan: StoredPlan
  readonly shards: { readonly done: number; readonly total: number }
  readonly queries: { readonly done: number; readonly total: number }
  /** Best first. */
  readonly rows: readonly LiveRow[]
  readonly failures: readonly LiveFailure[]
}

export interface LiveRow {
  readonly name: string
  readonly strategy: string
  /** Primary measure; null if no query counts yet. */
  readonly estimate: Estimate | null
}

interface LiveFailure {
  readonly trial: string
  readonly queries: number
  readonly step: string
  readonly message: string
}

/** Reads each part once. Damaged parts are left out: the run repeats them. */
export function openLive(folder: string): () => Promise<Live> {
  const known = new Map<string, PartScores | null>()
  return async () => {
    const plan = readPlan(folder)
    const primary = plan.experiment.compare.by
    const parts = listParts(folder, plan.hash)
    const paths = new Set(parts.map(({ path }) => path))
    for (const path of known.keys()) if (!paths.has(path)) known.delete(path)
    for (const part of parts) if (!known.has(part.path)) known.set(part.path, await readOne(part, primary))
    const read = [...known.values()].filter((part) => part !== null).sort((a, b) => a.begin - b.begin)
    const total = shardsOf(plan).length
    return {
      plan,
      shards: { done: read.length, total },
      queries: { done: read.reduce((sum, { begin, end }) => sum + end - begin, 0), total: plan.queries },
      rows: rowsOf(plan, read),
      failures: failuresOf(plan, read),
    }
  }
}

async function readOne(part: Part, primary: string): Promise<PartScores | null> {
  try {
    return isWhole(part) ? await readScores(part, primary) : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function rowsOf(plan: StoredPlan, parts: readonly PartScores[]): LiveRow[] {
  const { experiment, scale } = plan
  const { level, cluster } = experiment.compare
  const rows = (plan.trials ?? []).map(({ name, strategy }, trial): LiveRow => {
    const counted = Float64Array.from(
      parts.flatMap(({ values }) => [...values[trial]].filter((value) => !Number.isNaN(value))),
    )
    return { name, strategy, estimate: counted.length === 0 ? null : estimateOf(counted) }
  })
  const sign = scale?.better === 'lower' ? -1 : 1
  const quality = ({ estimate }: LiveRow) => (estimate ? sign * estimate.mean : Number.NEGATIVE_INFINITY)
  return rows.sort((a, b) => quality(b) - quality(a))

  // Parts lack the clusters of queries.
  function estimateOf(values: Float64Array): Estimate {
    const range = rangeOf({ bounded: scale.bounded })
    const limits = cluster === undefined ? meanInterval([values], level, range) : { low: null, high: null }
    return { mean: momentsOf(values).mean, ...limits, n: values.length }
  }
}

function failuresOf({ trials = [] }: StoredPlan, parts: readonly PartScores[]): LiveFailure[] {
  return trials.flatMap(({ name }, trial) => {
    const own = parts.flatMap(({ failures }) => failures[trial].filter((one) => one !== null))
    return own.length === 0 ? [] : [{ trial: name, queries: own.length, ...own[0] }]
  })
}

/** Progress by the parts' times, for runs on other machines. */
export function shardStep(folder: string, { plan, shards }: Live): RecordedStep {
  const times = listParts(folder, plan.hash)
    .map(({ path }) => statSync(path, { throwIfNoEntry: false })?.mtimeMs)
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b)
  const [started = 0, reported = 0] = [times[0], times.at(-1)]
  return { what: 'shards', ...shards, first: Math.min(1, shards.done), started, reported }
}

/** Null before there is a rate. */
export function secondsLeft({ done, total, first, started, reported }: RecordedStep): number | null {
  if (done <= first || reported <= started) return null
  return ((total - done) * (reported - started)) / (done - first) / 1000
}
