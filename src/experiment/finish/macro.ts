import type { Experiment } from '../../config/experiment.ts'
import type { Measure } from '../../metrics/define.ts'
import { FORMAT } from '../../results/format.ts'
import { type MacroRow, type MacroSummary, macroResult } from '../../results/macro.ts'
import { type RowValues, readFolds, readQueryClusters, readRowValues } from '../../results/row-values.ts'
import type { ComparedRow, ComparisonSummary, Estimate, Manifest, Summary } from '../../results/summary.ts'
import type { TunedFrom } from '../../statistics/compare.ts'
import { compareIds } from '../../text/order.ts'
import { comparedStrategy } from '../plan/compile.ts'
import { loadMeasures } from '../plan/registries.ts'
import { compareRows } from './compare-rows.ts'
import { scalesOf } from './describe.ts'
import { intervalOf } from './estimate.ts'
import { byStrategy } from './tuned-rows.ts'

/** Finished experiment of one dataset. */
export interface Finished {
  readonly dataset: string
  /** Path relative to the whole experiment's folder. */
  readonly folder: string
  /** Absolute path. */
  readonly path: string
  readonly summary: Summary
  readonly manifest: Manifest
}

/** Maximum number of rows with intervals of their macro means; the best rows get them. */
const MAX_INTERVALS = 30

/**
 * Computes the table over several datasets from their results. `made` is stored unchanged. Draws follow the datasets in order
 * of their names, so the order in the config changes no number.
 */
export async function combineDatasets(
  experiment: Experiment,
  baseline: string,
  finished: readonly Finished[],
  made: string,
): Promise<MacroSummary> {
  const { name, compare, depth } = experiment
  const { tuning } = finished[0].summary
  const measures = await loadMeasures(experiment)
  const strata = await readStrata(finished)
  const primary = measures.find((measure) => measure.name === compare.by) as Measure
  const means = rowsOf(finished)
  const whole = means.filter(({ macro }) => macro !== null)
  const shown = bestFirst(whole, primary).slice(0, MAX_INTERVALS)
  const untested = untestedIn(finished)
  const withInterval = new Set([...shown.map(({ id }) => id), baseline].filter((id) => !untested.has(id)))
  const clusters = compare.cluster === undefined ? undefined : strata.map((stratum) => stratum.clusters ?? [])
  const limits = (id: string, measure: Measure) =>
    withInterval.has(id)
      ? intervalOf(measure, valuesIn(strata, id, measure.name), compare.level, clusters)
      : {}
  const rows = means.map((row): MacroRow => {
    const { id, macro } = row
    if (!macro) return row
    const estimates = measures.map((measure) => [
      measure.name,
      { ...macro[measure.name], ...limits(id, measure) },
    ])
    return { ...row, macro: Object.fromEntries(estimates) }
  })
  const summary: Omit<MacroSummary, 'result'> = {
    format: FORMAT,
    experiment: name,
    depth,
    measures: measures.map((measure) => measure.name),
    primary: compare.by,
    ...scalesOf(experiment, measures),
    tuning,
    ...(finished[0].summary.standIn && { standIn: finished[0].summary.standIn }),
    level: compare.level,
    datasets: finished.map(({ dataset, folder, summary, manifest }) => {
      const { documents, queries, judged, judgedUnit, sample, synthetic, reviewed } = summary.dataset
      const size = { documents, queries, judged, judgedUnit }
      const marks = {
        ...(sample && { sample }),
        ...(synthetic && { synthetic }),
        ...(reviewed && { reviewed }),
      }
      return { name: dataset, folder, result: manifest.result, ...size, ...marks }
    }),
    kind: tuning.kind === 'none' ? 'trial' : 'tuned',
    rows,
    comparison: compareOver(whole, baseline, compare, primary, strata, finished),
    made,
  }
  // JSON round trip as on reading: NaN becomes null.
  const plain = JSON.parse(JSON.stringify(summary))
  return { ...plain, result: macroResult(plain) }
}

/** One dataset with the values of its rows; strata are in order of the datasets' names. */
interface Stratum {
  /** Index in the config's order. */
  readonly place: number
  readonly valuesOf: RowValues
  /** Fold of each query; null without folds. */
  readonly folds: Uint8Array | null
  readonly clusters: Int32Array | undefined
}

async function readStrata(finished: readonly Finished[]): Promise<Stratum[]> {
  const order = [...finished.keys()].sort((a, b) => compareIds(finished[a].dataset, finished[b].dataset))
  return Promise.all(
    order.map(async (place) => {
      const { path, summary } = finished[place]
      return {
        place,
        valuesOf: await readRowValues(path, summary),
        folds: await readFolds(path, summary),
        clusters: await readQueryClusters(path, summary),
      }
    }),
  )
}

/** Ids of the routers that were fitted in folds. */
function untestedIn(finished: readonly Finished[]): ReadonlySet<string> {
  return new Set(
    finished.flatMap(({ summary: { tuning, tuned } }) =>
      tuning.kind === 'folds' ? tuned.filter(({ chosen }) => chosen.length === 0).map(({ id }) => id) : [],
    ),
  )
}

function rowsOf(finished: readonly Finished[]): MacroRow[] {
  const found = finished.map(({ summary }) => rowsOfOne(summary))
  const rows = new Map(
    found.flatMap((own) => [...own].map(([id, { measures: _, ...row }]) => [id, row] as const)),
  )
  return [...rows].map(([id, row]) => {
    const datasets = found.map((own) => own.get(id)?.measures ?? null)
    return {
      id,
      ...row,
      datasets,
      macro: macroOf(
        datasets.filter((one) => one !== null),
        finished.length,
      ),
    }
  })
}

/** Valid rows by id. Excludes trials that failed on every query. */
function rowsOfOne({ tuning, tuned, trials, dataset }: Summary) {
  if (tuning.kind !== 'none')
    return new Map(
      tuned.map(({ id, name, strategy, measures }) => [id, { name, strategy, varied: {}, measures }]),
    )
  return new Map(
    trials
      .filter(({ failed }) => failed < dataset.queries)
      .map((trial) => [
        trial.id,
        {
          name: trial.name,
          strategy: comparedStrategy(trial),
          varied: trial.varied,
          measures: trial.measures,
        },
      ]),
  )
}

function macroOf(
  datasets: readonly Readonly<Record<string, Estimate>>[],
  count: number,
): Record<string, Estimate> | null {
  if (datasets.length < count) return null
  return Object.fromEntries(
    Object.keys(datasets[0]).map((measure) => {
      const own = datasets.map((one) => one[measure])
      const sum = (of: (estimate: Estimate) => number) => own.reduce((total, one) => total + of(one), 0)
      return [measure, { mean: sum(({ mean }) => mean) / count, low: null, high: null, n: sum(({ n }) => n) }]
    }),
  )
}

function bestFirst(rows: readonly MacroRow[], { name, metric }: Measure): MacroRow[] {
  const sign = metric.better === 'higher' ? 1 : -1
  const mean = ({ macro }: MacroRow) => sign * (macro?.[name].mean ?? 0)
  return [...rows].sort((a, b) => mean(b) - mean(a))
}

function valuesIn(strata: readonly Stratum[], id: string, measure: string): Float64Array[] {
  return strata.map(({ valuesOf }) => valuesOf(id, measure) ?? new Float64Array())
}

/** Cluster ids of all strata, one stratum after another; ids are only compared within a stratum. */
function joinedClusters({ cluster }: Experiment['compare'], strata: readonly Stratum[]) {
  return cluster === undefined ? undefined : strata.flatMap(({ clusters }) => [...(clusters ?? [])])
}

function joined(strata: readonly Float64Array[]): Float64Array {
  return Float64Array.from(strata.flatMap((values) => [...values]))
}

/** Comparison over all datasets, with the verdict of each single dataset. */
function compareOver(
  rows: readonly MacroRow[],
  baseline: string,
  compare: Experiment['compare'],
  { name: measure, metric }: Measure,
  strata: readonly Stratum[],
  finished: readonly Finished[],
): ComparisonSummary | null {
  const valuesOf = (id: string) =>
    strata.map((stratum) => stratum.valuesOf(id, measure) ?? new Float64Array())
  const compared = compareRows(
    rows.map(({ id, name, strategy, macro }) => ({
      id,
      name,
      strategy,
      quality: macro?.[measure].mean ?? 0,
      values: joined(valuesOf(id)),
    })),
    baseline,
    compare,
    metric.better,
    {
      strata: rows.length > 0 ? valuesOf(rows[0].id).map(({ length }) => length) : [],
      tuned: tunedOver(strata, finished, (id) => joined(valuesOf(id))),
      untested: untestedIn(finished),
      clusters: joinedClusters(compare, strata),
    },
  )
  const verdictIn = ({ summary }: Finished, { id, baseline }: ComparedRow) =>
    summary.comparison?.rows.find((own) => own.id === id && own.baseline === baseline)?.verdict ?? null
  return (
    compared && {
      ...compared,
      rows: compared.rows.map((row) => ({
        ...row,
        datasets: finished.map((one, place) => ({
          ...row.datasets[strata.findIndex((stratum) => stratum.place === place)],
          verdict: verdictIn(one, row),
        })),
      })),
    }
  )
}

/** Candidates of rows tuned in folds: the trials that every dataset has; undefined without folds. */
function tunedOver(
  strata: readonly Stratum[],
  finished: readonly Finished[],
  valuesOf: (id: string) => Float64Array,
): TunedFrom | undefined {
  const folds = strata.flatMap((stratum) => [...(stratum.folds ?? [])])
  if (folds.length === 0) return undefined
  const [first, ...others] = finished.map(({ summary: { trials, dataset } }) =>
    trials.filter(({ failed }) => failed < dataset.queries),
  )
  const shared = first.filter(({ id }) => others.every((own) => own.some((other) => other.id === id)))
  return {
    folds: Uint8Array.from(folds),
    trials: byStrategy(
      shared.map((trial) => ({
        id: trial.id,
        strategy: comparedStrategy(trial),
        values: valuesOf(trial.id),
      })),
    ),
  }
}
