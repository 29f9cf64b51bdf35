import { type Measure, rangeOf } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import type { Estimate } from '../../results/summary.ts'
import type { Clusters } from '../../statistics/clusters.ts'
import { meanInterval } from '../../statistics/mean-interval.ts'
import { comparedStrategy, trialIndex } from '../plan/compile.ts'
import { MAX_FINALISTS } from '../plan/plan.ts'
import type { Session } from '../shard/session.ts'
import type { ComparedRow } from './compare-rows.ts'
import type { Merged } from './merge.ts'

export function primaryRows({ trials, measures, plan }: Session, merged: Merged): ComparedRow[] {
  const primary = measures.findIndex(({ name }) => name === plan.experiment.compare.by)
  return trials.map((one, trial) => {
    const { id, name } = one
    const values = merged.values[primary].subarray(trial * merged.queries, (trial + 1) * merged.queries)
    const quality = meanOf(measures[primary], values)
    return { id, name, strategy: comparedStrategy(one), values, quality }
  })
}

/** Indexes of trials whose rankings are stored. */
export function finalistsOf(
  { trials, plan }: Session,
  merged: Merged,
  rows: readonly ComparedRow[],
): number[] {
  return chooseFinalists(
    rows.map((row, trial) => {
      const { tokens, evidenceTokens } = perQuery(merged, trial)
      return { ...row, tokens: tokens + evidenceTokens }
    }),
    trials[trialIndex(trials, plan.experiment.compare.baseline)].id,
  )
}

/** Means over all queries, answerable or not. */
export function perQuery(merged: Merged, trial: number): Record<string, number> {
  const { queries } = merged
  const of = (column: Int32Array) => {
    let sum = 0
    for (const value of column.subarray(trial * queries, (trial + 1) * queries)) sum += value
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
  /** Mean of the primary measure. */
  readonly quality: number
  /** Mean tokens of the context per query, evidence included. */
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

/** Means with Student's intervals by measure. NaN values do not count. Limits are null if `interval` is false. */
export function estimateColumns(
  measures: readonly Measure[],
  columns: readonly Float64Array[],
  {
    level,
    interval,
    clusters,
  }: {
    readonly level: number
    readonly interval: (measure: Measure) => boolean
    readonly clusters: Clusters | undefined
  },
): Record<string, Estimate> {
  return Object.fromEntries(
    measures.map((measure, index) => {
      const values = columns[index]
      const limits = interval(measure)
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
  if (metric.mean !== 'arithmetic') return NO_LIMITS
  const counted = clusters?.map((numbers, stratum) =>
    Array.from(numbers).filter((_, query) => !Number.isNaN(strata[stratum][query])),
  )
  const values = strata.map((column) => column.filter((value) => !Number.isNaN(value)))
  return meanInterval(values, level, rangeOf(metric), counted)
}

function countOf(values: Float64Array): number {
  let counted = 0
  // `for of` would take a second for twenty million values.
  for (let index = 0; index < values.length; index++) if (!Number.isNaN(values[index])) counted++
  return counted
}
