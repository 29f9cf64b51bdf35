import type { Experiment, Tuning } from '../../config/experiment.ts'
import type { Measure } from '../../metrics/define.ts'
import type { TunedSummary } from '../../results/summary.ts'
import type { Clusters } from '../../statistics/clusters.ts'
import type { TunedFrom } from '../../statistics/compare.ts'
import { makeFolds, makeSplit } from '../../statistics/folds.ts'
import { type Tuned, tune, tunedValues } from '../../statistics/tuned.ts'
import { compareIds } from '../../text/ids.ts'
import type { JudgedQuery } from '../../types.ts'
import { type CompiledTrial, comparedStrategy, trialIndex } from '../plan/compile.ts'

/** Fold of each query, or 0 for dev and 1 for test. Clusters stay together. */
export function queryPartNames(
  queries: readonly JudgedQuery[],
  tuning: Exclude<Tuning, { readonly kind: 'none' }>,
  clusters?: Clusters,
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

/** A strategy tuned with folds or a split: chosen on other queries than it is scored on. */
export interface TunedRow extends TunedSummary {
  /** Primary measure by query; NaN if a query does not count. */
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

interface TuneTrials {
  readonly trials: readonly CompiledTrial[]
  readonly queries: readonly JudgedQuery[]
  readonly clusters: Clusters | undefined
  readonly measures: readonly Measure[]
  readonly primary: number
  readonly tuning: Tuning
  readonly baseline: string
  readonly valuesOf: (trial: number, measure: number) => Float64Array
  /** Indexes in the experiment; -1 for none. */
  readonly inTrials: (picked: Int32Array) => number[] | Int32Array
  readonly estimate: (columns: readonly Float64Array[]) => Pick<TunedSummary, 'measures' | 'categories'>
}

/** Candidates of tuned rows; undefined if no choice reads a query that it is scored on. */
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

/** In the order that breaks ties (tuned.ts). */
export function byStrategy(
  trials: readonly { readonly id: string; readonly strategy: string; readonly values: Float64Array }[],
): Map<string, Float64Array[]> {
  const rows = new Map<string, Float64Array[]>()
  for (const { strategy, values } of [...trials].sort((a, b) => compareIds(a.id, b.id)))
    rows.set(`tuned:${strategy}`, [...(rows.get(`tuned:${strategy}`) ?? []), values])
  return rows
}

/** One row per strategy, in byte order; empty without folds or split. */
export function tunedRows(input: TuneTrials): TunedRow[] {
  const { trials, queries, clusters, measures, primary, tuning, baseline, valuesOf, inTrials, estimate } =
    input
  if (tuning.kind === 'none') return []
  const matrixOf = (measure: number) => trials.map((_, trial) => valuesOf(trial, measure))
  const strategies = trials.map(comparedStrategy)
  const tuned = tune({
    trials: trials.map(({ id }) => id),
    strategies,
    matrix: matrixOf(primary),
    parts: queryPartNames(queries, tuning, clusters),
    kind: tuning.kind,
    better: measures[primary].metric.better,
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
    ...estimate(measures.map((_, measure) => tunedValues(row, matrixOf(measure)))),
    chosen: row.chosen.map((trial) => trials[trial].id),
    // Readers derive parts from ids, but not parts of clusters.
    ...(clusters && { picked: Array.from(inTrials(row.picked), (trial) => (trial < 0 ? null : trial)) }),
    optimism: row.optimism,
    values: tunedValues(row, matrixOf(primary)),
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
