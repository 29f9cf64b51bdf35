import type { Experiment } from '../../config/experiment.ts'
import type { Measure } from '../../metrics/define.ts'
import { findingsOf } from '../../report/findings/index.ts'
import { FORMAT } from '../../results/format.ts'
import { type RowValues, readFolds, readQueryClusters, readRowValues } from '../../results/row-values.ts'
import type {
  ComparedRow,
  ComparisonSummary,
  Estimate,
  Manifest,
  Result,
  Summary,
  TrialSummary,
  TunedSummary,
} from '../../results/summary.ts'
import type { TunedFrom } from '../../statistics/sample.ts'
import { compareIds } from '../../text/ids.ts'
import { comparedStrategy } from '../plan/compile.ts'
import { loadMeasures } from '../plan/registries.ts'
import { compareRows } from './compare-rows.ts'
import { scalesOf } from './describe.ts'
import { byStrategy, intervalOf } from './rows.ts'

export interface Finished {
  readonly dataset: string
  readonly folder: string
  readonly path: string
  readonly summary: Summary
  readonly manifest: Manifest
}

const MAX_INTERVALS = 30

/**
 * Summarizes an experiment over several datasets. Draws follow the names of the datasets, so the config's order changes
 * no number.
 */
export async function summarizeOver(
  experiment: Experiment,
  baseline: string,
  finished: readonly Finished[],
): Promise<Summary> {
  const { name, depth } = experiment
  const [first] = finished.map(({ summary }) => summary)
  const cluster = finished.find(({ summary }) => summary.cluster !== undefined)?.summary.cluster
  const compare = { ...experiment.compare, ...(cluster !== undefined && { cluster }) }
  const measures = await loadMeasures(experiment)
  const strata = await readStrata(finished)
  const primary = measures.find((measure) => measure.name === compare.by) as Measure
  const names = finished.map(({ dataset }) => dataset)
  const isTuned = first.tuning.kind !== 'none'
  const rows = rowsOver<TrialSummary | TunedSummary>(
    finished.map(({ summary: { trials, tuned, datasets } }) =>
      isTuned ? tuned : trials.filter(({ failed }) => failed < datasets[0].queries),
    ),
    names,
  )
  const whole = rows.filter(({ measures }) => compare.by in measures)
  const untested = untestedIn(finished)
  const shown = bestFirst(whole, primary).slice(0, MAX_INTERVALS)
  const withInterval = new Set([...shown.map(({ id }) => id), baseline].filter((id) => !untested.has(id)))
  const limited = <R extends Pick<TrialSummary, 'id' | 'measures'>>(row: R): R => {
    if (!withInterval.has(row.id)) return row
    const estimates = measures.map((measure) => {
      const limits = intervalOf(
        measure,
        strata.map(({ valuesOf }) => valuesOf(row.id, measure.name) ?? new Float64Array()),
        compare.level,
        cluster === undefined ? undefined : strata.map(({ clusters }) => clusters),
      )
      return [measure.name, { ...row.measures[measure.name], ...limits }]
    })
    return { ...row, measures: Object.fromEntries(estimates) }
  }
  const summary: Result = {
    format: FORMAT,
    experiment: name,
    datasets: finished.map(({ dataset, folder, summary, manifest }) => ({
      ...summary.datasets[0],
      name: dataset,
      folder,
      result: manifest.result,
    })),
    depth,
    context: first.context,
    measures: measures.map((measure) => measure.name),
    primary: compare.by,
    level: compare.level,
    ...scalesOf(experiment, measures),
    tuning: first.tuning,
    ...(cluster !== undefined && { cluster }),
    trials: isTuned ? [] : (rows as TrialSummary[]).map((row) => limited(uncounted(row, finished))),
    tuned: isTuned
      ? (rows as TunedSummary[]).map((row) =>
          limited({ ...row, picked: undefined, chosen: [], optimism: null }),
        )
      : [],
    comparison: compareOver(whole, baseline, compare, primary, strata, finished),
    ...(first.standIn && { standIn: first.standIn }),
    routing: [],
    health: { unsolved: [], small: [], trials: [] },
    indexes: [],
  }
  const prepared = finished.flatMap(({ dataset, summary: { findings } }) =>
    findings
      .filter(({ about }) => OF_DATASET.has(about))
      .map((finding) => ({ ...finding, text: `${dataset}: ${finding.text}` })),
  )
  // As on reading: NaN becomes null.
  return JSON.parse(JSON.stringify({ ...summary, findings: findingsOf(summary, prepared) }))
}

/** Findings that the summary over all repeats. */
const OF_DATASET = new Set(['Data', 'Not read', 'Thin graph'])

/**
 * Rows of all datasets by id, as the first dataset describes them, with macro means, and the datasets as categories.
 */
function rowsOver<R extends Pick<TrialSummary, 'id' | 'measures' | 'categories'>>(
  datasets: readonly (readonly R[])[],
  names: readonly string[],
): R[] {
  const byId = datasets.map((rows) => new Map(rows.map((row) => [row.id, row])))
  const all = new Map(datasets.flatMap((rows) => rows.map((row) => [row.id, row] as const)).reverse())
  const ids = [...new Set(datasets.flatMap((rows) => rows.map(({ id }) => id)))]
  return ids.map((id) => {
    const estimates = byId.map((rows) => rows.get(id)?.measures)
    return {
      ...(all.get(id) as R),
      measures: estimates.includes(undefined) ? {} : macroOf(estimates as readonly Estimates[]),
      categories: Object.fromEntries(
        estimates.flatMap((measures, index) => (measures ? [[names[index], measures]] : [])),
      ),
    }
  })
}

type Estimates = TrialSummary['measures']

function macroOf(datasets: readonly Estimates[]): Estimates {
  return Object.fromEntries(
    Object.keys(datasets[0]).map((measure) => {
      const estimates = datasets.map((measures) => measures[measure])
      const sum = (of: (estimate: Estimate) => number) =>
        estimates.reduce((total, estimate) => total + of(estimate), 0)
      const mean = sum(({ mean }) => mean) / datasets.length
      return [measure, { mean, low: null, high: null, n: sum(({ n }) => n) }]
    }),
  )
}

/** A trial with failures and funnel summed; other counts are in the datasets' summaries. */
function uncounted(trial: TrialSummary, finished: readonly Finished[]): TrialSummary {
  const everywhere = finished.flatMap(({ summary }) => summary.trials.filter(({ id }) => id === trial.id))
  const lost = new Map<string, number>()
  for (const { funnel } of everywhere)
    for (const stage of funnel) lost.set(stage.stage, (lost.get(stage.stage) ?? 0) + stage.lost)
  const { calls: _, seeds: __, ...row } = trial
  return {
    ...row,
    variant: 0,
    perQuery: {},
    fallbacks: [],
    failed: everywhere.reduce((sum, { failed }) => sum + failed, 0),
    failures: everywhere.flatMap(({ failures }) => failures).slice(0, 1),
    funnel: [...lost].map(([stage, lost]) => ({ stage, lost })),
    channels: {},
    finalist: false,
  }
}

/** A dataset with the values of its rows; strata are in order of names. */
interface Stratum {
  readonly place: number
  readonly valuesOf: RowValues
  readonly folds: Uint8Array | null
  /** One of its own for each query without clusters. */
  readonly clusters: Int32Array
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
        clusters:
          (await readQueryClusters(path, summary)) ??
          Int32Array.from({ length: summary.datasets[0].queries }, (_, query) => query),
      }
    }),
  )
}

function untestedIn(finished: readonly Finished[]): ReadonlySet<string> {
  return new Set(
    finished.flatMap(({ summary: { tuning, tuned } }) =>
      tuning.kind === 'folds' ? tuned.filter(({ chosen }) => chosen.length === 0).map(({ id }) => id) : [],
    ),
  )
}

type Row = Pick<TrialSummary, 'id' | 'name' | 'strategy' | 'measures'> & Partial<Pick<TrialSummary, 'varied'>>

function bestFirst(rows: readonly Row[], { name, metric }: Measure): Row[] {
  const sign = metric.better === 'higher' ? 1 : -1
  const mean = ({ measures }: Row) => sign * measures[name].mean
  return [...rows].sort((a, b) => mean(b) - mean(a))
}

/** With the verdict of each single dataset. */
function compareOver(
  rows: readonly Row[],
  baseline: string,
  compare: Experiment['compare'],
  { name: measure, metric }: Measure,
  strata: readonly Stratum[],
  finished: readonly Finished[],
): ComparisonSummary | null {
  const joined = (id: string) =>
    Float64Array.from(strata.flatMap(({ valuesOf }) => [...(valuesOf(id, measure) ?? [])]))
  const compared = compareRows(
    rows.map((row) => ({
      id: row.id,
      name: row.name,
      strategy: row.varied ? comparedStrategy({ ...row, varied: row.varied }) : row.strategy,
      quality: row.measures[measure].mean,
      values: joined(row.id),
    })),
    baseline,
    compare,
    metric.better,
    {
      strata: rows.length > 0 ? strata.map(({ valuesOf }) => valuesOf(rows[0].id, measure)?.length ?? 0) : [],
      tuned: tunedOver(strata, finished, joined),
      untested: untestedIn(finished),
      // Compared only within a stratum.
      clusters: compare.cluster === undefined ? undefined : strata.flatMap(({ clusters }) => [...clusters]),
    },
  )
  const verdictIn = ({ summary }: Finished, { id, baseline }: ComparedRow) =>
    summary.comparison?.rows.find((candidate) => candidate.id === id && candidate.baseline === baseline)
      ?.verdict ?? null
  return (
    compared && {
      ...compared,
      rows: compared.rows.map((row) => ({
        ...row,
        datasets: finished.map((run, place) => ({
          ...row.datasets[strata.findIndex((stratum) => stratum.place === place)],
          verdict: verdictIn(run, row),
        })),
      })),
    }
  )
}

function tunedOver(
  strata: readonly Stratum[],
  finished: readonly Finished[],
  valuesOf: (id: string) => Float64Array,
): TunedFrom | undefined {
  const folds = strata.flatMap((stratum) => [...(stratum.folds ?? [])])
  if (folds.length === 0) return undefined
  const [first, ...others] = finished.map(({ summary: { trials, datasets } }) =>
    trials.filter(({ failed }) => failed < datasets[0].queries),
  )
  const shared = first.filter(({ id }) =>
    others.every((trialsOfDataset) => trialsOfDataset.some((other) => other.id === id)),
  )
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
