import type { Tuning } from '../../config/experiment.ts'
import type { Measure } from '../../metrics/define.ts'
import type { TunedSummary } from '../../results/summary.ts'
import type { Clusters } from '../../statistics/clusters.ts'
import type { TunedFrom } from '../../statistics/compare.ts'
import { tune, tunedValues } from '../../statistics/tuned.ts'
import { compareIds } from '../../text/order.ts'
import type { JudgedQuery } from '../../types.ts'
import { type CompiledTrial, comparedStrategy } from '../plan/compile.ts'
import { queryPartNames } from '../plan/query-parts.ts'

/** A strategy's row with folds or a split: chosen on other queries than those it is scored on. */
export interface TunedRow extends TunedSummary {
  /** `tuned:<strategy>`. */
  readonly id: string
  /** The primary measure by query; NaN where it does not count. */
  readonly values: Float64Array
  /** The same by repeat, where a trial that was chosen is stochastic. */
  readonly repeats?: readonly Float64Array[] | undefined
}

interface TuneTrials {
  readonly trials: readonly CompiledTrial[]
  readonly queries: readonly JudgedQuery[]
  readonly clusters: Clusters | undefined
  readonly measures: readonly Measure[]
  readonly primary: number
  readonly tuning: Tuning
  /** Whether a trial may be chosen for a part. */
  readonly keeps: (trial: number, part: number) => boolean
  readonly valuesOf: (trial: number, measure: number) => Float64Array
  /** The primary measure by repeat, of the trials picked for each query (-1: none), where one is stochastic. */
  readonly repeatsOf: (picked: Int32Array) => readonly Float64Array[] | undefined
  /** Places of the trials in the experiment; -1 for none. */
  readonly inTrials: (picked: Int32Array) => number[] | Int32Array
  /** Of one column a measure. */
  readonly estimate: (
    columns: readonly Float64Array[],
    picked: Int32Array,
  ) => Pick<TunedSummary, 'measures' | 'categories'>
}

/** What the rows come from, for a comparison; undefined where the choice reads none of the queries it is scored on. */
export function tunedFrom(
  { trials, queries, clusters, tuning }: Pick<TuneTrials, 'trials' | 'queries' | 'clusters' | 'tuning'>,
  valuesOf: (trial: number) => Float64Array,
): TunedFrom | undefined {
  if (tuning.kind !== 'folds') return undefined
  return {
    folds: queryPartNames(queries, tuning, clusters),
    trials: byStrategy(
      trials.map((trial, index) => ({
        id: trial.id,
        strategy: comparedStrategy(trial),
        values: valuesOf(index),
      })),
    ),
  }
}

/** By tuned row, in the order in which equals are chosen (tuned.ts). */
export function byStrategy(
  trials: readonly { readonly id: string; readonly strategy: string; readonly values: Float64Array }[],
): Map<string, Float64Array[]> {
  const rows = new Map<string, Float64Array[]>()
  for (const { strategy, values } of [...trials].sort((a, b) => compareIds(a.id, b.id)))
    rows.set(`tuned:${strategy}`, [...(rows.get(`tuned:${strategy}`) ?? []), values])
  return rows
}

/**
 * One row a strategy, in byte order of their names; none without folds or split. A strategy of which a race kept no trial
 * for some part has none.
 */
export function tunedRows(input: TuneTrials): TunedRow[] {
  const {
    trials,
    queries,
    clusters,
    measures,
    primary,
    tuning,
    keeps,
    valuesOf,
    repeatsOf,
    inTrials,
    estimate,
  } = input
  if (tuning.kind === 'none') return []
  const matrixOf = (measure: number) => trials.map((_, trial) => valuesOf(trial, measure))
  const rows = tune({
    trials: trials.map(({ id }) => id),
    strategies: trials.map(comparedStrategy),
    matrix: matrixOf(primary),
    keeps,
    parts: queryPartNames(queries, tuning, clusters),
    kind: tuning.kind,
    better: measures[primary].metric.better,
  })
  return rows.map((row) => ({
    id: `tuned:${row.strategy}`,
    strategy: row.strategy,
    name: row.strategy,
    ...estimate(
      measures.map((_, measure) => tunedValues(row, matrixOf(measure))),
      row.picked,
    ),
    chosen: row.chosen.map((trial) => trials[trial].id),
    // Readers find the parts of queries by their ids, and not those of clusters.
    ...(clusters && { picked: Array.from(inTrials(row.picked), (trial) => (trial < 0 ? null : trial)) }),
    optimism: row.optimism,
    values: tunedValues(row, matrixOf(primary)),
    repeats: repeatsOf(row.picked),
  }))
}
