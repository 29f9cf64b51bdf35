import type { Experiment, Tuning } from '../../config/experiment.ts'
import { addTo } from '../../maps.ts'
import { type Measure, rangeOf } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import type { Range } from '../../metrics/range.ts'
import type { Estimate, TunedSummary } from '../../results/summary.ts'
import { meanInterval } from '../../statistics/intervals.ts'
import type { Clusters } from '../../statistics/moments.ts'
import type { TunedFrom } from '../../statistics/sample.ts'
import { makeFolds, makeSplit, type Tuned, tune, tunedValues } from '../../statistics/tuned.ts'
import { compareIds } from '../../text/ids.ts'
import type { JudgedQuery } from '../../types.ts'
import { type CompiledTrial, comparedStrategy, trialIndex } from '../plan/compile.ts'
import { MAX_FINALISTS } from '../plan/plan.ts'
import type { Session } from '../shard/session.ts'
import type { ComparedRow } from './compare-rows.ts'
import { portableTrial } from './describe.ts'
import { type Merged, ofTrial } from './merge.ts'
import type { HeldOut } from './routing.ts'

/** Merged parts of a session, with their values by trial. */
export interface Scored {
  readonly session: Session
  readonly merged: Merged
  readonly trials: readonly CompiledTrial[]
  readonly primary: Measure
  readonly held: HeldOut | null
  /** Values by query of a measure by index; default: the primary. */
  valuesOf(trial: number, measure?: number): Float64Array
}

export function scoredTrials(session: Session, merged: Merged): Scored {
  const { queries, measures, trials, clusters, plan } = session
  const { tuning, compare } = plan.experiment
  const primary = measures.findIndex(({ name }) => name === compare.by)
  return {
    session,
    merged,
    trials: trials.map((trial) => portableTrial(trial, plan.experiment.file)),
    primary: measures[primary],
    held:
      tuning.kind === 'none' ? null : { kind: tuning.kind, parts: tuningParts(queries, tuning, clusters) },
    valuesOf: (trial, measure = primary) => ofTrial(merged.values[measure], trial, merged.queries),
  }
}

/** Tuning part of each query: a fold, or 0 for dev and 1 for test. Clusters stay together. */
function tuningParts(
  queries: readonly JudgedQuery[],
  tuning: Exclude<Tuning, { readonly kind: 'none' }>,
  clusters: Clusters | undefined,
): Uint8Array {
  const divided = {
    ids: queries.map(({ id }) => id),
    categories: queries.map(({ category }) => category),
    seed: tuning.seed,
    clusters,
  }
  return tuning.kind === 'folds'
    ? makeFolds({ ...divided, folds: tuning.folds })
    : makeSplit({ ...divided, dev: tuning.dev })
}

export function primaryRows({ session: { trials }, primary, valuesOf }: Scored): ComparedRow[] {
  return trials.map((trial, index) => {
    const { id, name } = trial
    const values = valuesOf(index)
    return { id, name, strategy: comparedStrategy(trial), values, quality: meanOf(primary, values) }
  })
}

export function finalistsOf({ session, merged }: Scored, rows: readonly ComparedRow[]): number[] {
  const { trials, plan } = session
  return chooseFinalists(
    rows.map((row, trial) => {
      const { tokens, evidenceTokens } = perQuery(merged, trial)
      return { ...row, tokens: tokens + evidenceTokens }
    }),
    trials[trialIndex(trials, plan.experiment.compare.baseline)].id,
  )
}

export function perQuery(merged: Merged, trial: number): Record<string, number> {
  const { queries } = merged
  const of = (column: Int32Array) => {
    let sum = 0
    for (const value of ofTrial(column, trial, queries)) sum += value
    return sum / queries
  }
  const counters = Object.entries(merged.counters[trial])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, total]) => [name, total / queries])
  return {
    retrieved: of(merged.retrieved),
    tokens: of(merged.tokens),
    evidenceTokens: of(merged.evidenceTokens),
    ...Object.fromEntries(counters),
  }
}

export interface FinalistCandidate {
  readonly id: string
  readonly strategy: string
  readonly quality: number
  readonly tokens: number
}

/**
 * The baseline, the best of each strategy, the Pareto front of quality and tokens, then the best of the rest; at most
 * 20. Returns ascending indexes; ties go to the earlier trial.
 */
export function chooseFinalists(candidates: readonly FinalistCandidate[], baseline: string): number[] {
  const byQuality = candidates
    .map((_, index) => index)
    .sort((a, b) => candidates[b].quality - candidates[a].quality || a - b)
  const bestOf = new Map<string, number>()
  for (const index of byQuality) {
    const { strategy } = candidates[index]
    if (!bestOf.has(strategy)) bestOf.set(strategy, index)
  }
  const front = byQuality.filter((index, rank) =>
    byQuality.slice(0, rank).every((better) => candidates[better].tokens > candidates[index].tokens),
  )
  const wanted = [
    candidates.findIndex(({ id }) => id === baseline),
    ...bestOf.values(),
    ...front,
    ...byQuality,
  ]
  return [...new Set(wanted.filter((index) => index >= 0))].slice(0, MAX_FINALISTS).sort((a, b) => a - b)
}

/** Means with Student's intervals by measure. NaN values do not count. Limits are null without `hasInterval`. */
export function estimateColumns(
  measures: readonly Measure[],
  columns: readonly Float64Array[],
  level: number,
  hasInterval: (measure: Measure) => boolean,
  clusters: Clusters | undefined,
): Record<string, Estimate> {
  return Object.fromEntries(
    measures.map((measure, index) => {
      const values = columns[index]
      const limits = hasInterval(measure)
        ? intervalOf(measure, [values], level, clusters && [clusters])
        : NO_LIMITS
      return [measure.name, { mean: meanOf(measure, values), ...limits, n: countOf(values) }]
    }),
  )
}

const NO_LIMITS = { low: null, high: null }

/** Interval of the macro mean over strata; none for a geometric mean or a sum. */
export function intervalOf(
  { metric }: Measure,
  strata: readonly Float64Array[],
  level: number,
  clusters?: readonly Clusters[],
): Pick<Estimate, 'low' | 'high'> {
  return metric.mean === 'arithmetic' ? countedInterval(strata, level, rangeOf(metric), clusters) : NO_LIMITS
}

/** Interval of the mean of values that are not NaN. */
export function countedInterval(
  strata: readonly Float64Array[],
  level: number,
  range: Range,
  clusters?: readonly Clusters[],
): Pick<Estimate, 'low' | 'high'> {
  const counted = clusters?.map((numbers, stratum) =>
    Array.from(numbers).filter((_, query) => !Number.isNaN(strata[stratum][query])),
  )
  const values = strata.map((column) => column.filter((value) => !Number.isNaN(value)))
  return meanInterval(values, level, range, counted)
}

function countOf(values: Float64Array): number {
  let counted = 0
  for (let index = 0; index < values.length; index++) if (!Number.isNaN(values[index])) counted++
  return counted
}

/** A strategy tuned with folds or a split: chosen on other queries than it is scored on. */
export interface TunedRow extends TunedSummary {
  readonly values: Float64Array
}

/**
 * Id of the row that others are compared with: the baseline trial, or its strategy's tuned row. A trial that the config
 * names is compared as it is.
 */
export function baselineRow(
  trials: readonly CompiledTrial[],
  { compare, tuning }: Pick<Experiment, 'compare' | 'tuning'>,
): string {
  const baseline = trials[trialIndex(trials, compare.baseline)]
  if (tuning.kind === 'none') return baseline.id
  const strategy = comparedStrategy(baseline)
  const rivals = trials.filter((trial) => comparedStrategy(trial) === strategy)
  return `tuned:${compare.named && rivals.length > 1 ? baseline.id : strategy}`
}

export function tunedFrom(
  { trials, held, valuesOf }: Scored,
  compared: readonly number[],
): TunedFrom | undefined {
  if (held?.kind !== 'folds') return undefined
  const candidates = compared.map((trial) => ({
    id: trials[trial].id,
    strategy: comparedStrategy(trials[trial]),
    values: valuesOf(trial),
  }))
  return { folds: held.parts, trials: byStrategy(candidates) }
}

/** In the order that breaks ties (tuned.ts). */
export function byStrategy(
  trials: readonly { readonly id: string; readonly strategy: string; readonly values: Float64Array }[],
): Map<string, Float64Array[]> {
  const rows = new Map<string, Float64Array[]>()
  for (const { strategy, values } of [...trials].sort((a, b) => compareIds(a.id, b.id)))
    addTo(rows, `tuned:${strategy}`, values)
  return rows
}

/** One row per strategy, in byte order, over the `compared` trials; empty without folds or split. */
export function tunedRows(
  { session, trials: all, primary, held, valuesOf }: Scored,
  compared: readonly number[],
  baseline: string,
  estimate: (columns: readonly Float64Array[]) => Pick<TunedSummary, 'measures' | 'categories'>,
): TunedRow[] {
  if (!held) return []
  const trials = compared.map((trial) => all[trial])
  const strategies = trials.map(comparedStrategy)
  const matrix = compared.map((trial) => valuesOf(trial))
  const tuned = tune({
    trials: trials.map(({ id }) => id),
    strategies,
    matrix,
    parts: held.parts,
    kind: held.kind,
    better: primary.metric.better,
  })
  const plain = trials.findIndex(({ id }) => `tuned:${id}` === baseline)
  const rows = [
    ...tuned.map((row) => {
      const id = `tuned:${row.strategy}`
      const rivals = strategies.filter((strategy) => strategy === row.strategy)
      const isTunedBaseline = id === baseline && rivals.length > 1
      return { ...row, id, name: isTunedBaseline ? `${row.strategy}, tuned` : row.strategy }
    }),
    ...(plain < 0 ? [] : [plainRow(tuned[0], plain, trials[plain], strategies[plain])]),
  ]
  return rows.map((row) => ({
    id: row.id,
    strategy: row.strategy,
    name: row.name,
    ...estimate(
      session.measures.map((_, measure) =>
        tunedValues(
          row,
          compared.map((trial) => valuesOf(trial, measure)),
        ),
      ),
    ),
    chosen: row.chosen.map((trial) => trials[trial].id),
    // Readers derive parts from ids, but not parts of clusters.
    ...(session.clusters && { picked: Array.from(row.picked, (trial) => compared[trial] ?? null) }),
    optimism: row.optimism,
    values: tunedValues(row, matrix),
  }))
}

/** One trial on the queries that tuned rows are scored on. */
function plainRow({ picked, chosen }: Tuned, trial: number, { id, name }: CompiledTrial, strategy: string) {
  return {
    id: `tuned:${id}`,
    name,
    strategy,
    picked: picked.map((choice) => (choice < 0 ? choice : trial)),
    chosen: chosen.map(() => trial),
    optimism: 0,
  }
}
