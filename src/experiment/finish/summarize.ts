import { setImmediate } from 'node:timers/promises'
import { FORMAT } from '../../results/format.ts'
import type { Result, TrialSummary } from '../../results/summary.ts'
import type { Progress } from '../../types.ts'
import { type CompiledTrial, describeChoice } from '../plan/compile.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { callPrices } from '../plan/spending.ts'
import { channelNames } from '../shard/funnel.ts'
import type { Session } from '../shard/session.ts'
import { type ComparedRow, compareRows } from './compare-rows.ts'
import {
  callCost,
  categoriesOf,
  describeDataset,
  describeIndexes,
  describePricing,
  describeStandIn,
  portable,
  portableTrial,
  scalesOf,
} from './describe.ts'
import type { RoutedQueries } from './fitted-routers.ts'
import { describeHealth } from './health.ts'
import type { Merged } from './merge.ts'
import { describeRouting, routersOf } from './routing.ts'
import { estimateColumns, perQuery } from './rows.ts'
import { baselineRow, queryPartNames, type TunedRow, tunedFrom, tunedRows } from './tuned-rows.ts'

/** Trials that all get intervals; of more, only finalists. */
const FEW_TRIALS = 30

/** Failures reported per trial. */
const MAX_FAILURES = 5

interface Found {
  readonly rows: readonly ComparedRow[]
  readonly finalists: readonly number[]
  readonly fitted: readonly RoutedQueries[]
}

interface Source {
  readonly session: Session
  readonly merged: Merged
  /** With portable paths. */
  readonly trials: readonly CompiledTrial[]
  /** Index of the measure. */
  readonly primary: number
  valuesOf(trial: number, measure: number): Float64Array
  primaryOf(trial: number): Float64Array
}

/** Computes the summary, without answers and findings. */
export async function summarize(
  session: Session,
  open: OpenExperiment,
  merged: Merged,
  { rows, finalists, fitted }: Found,
  progress: Progress,
): Promise<Result> {
  const { plan, measures, queries, clusters } = session
  const { compare, context, depth, name, tuning } = plan.experiment
  const source = sourceOf(session, merged)
  const { trials, primary, primaryOf } = source
  const baselineId = baselineRow(trials, plan.experiment)
  const summaries = await summarizeTrials(source, finalists, progress)
  // A trial that failed on every query is not compared.
  const compared = [...trials.keys()].filter((trial) => summaries[trial].failed < queries.length)
  const tuned = summarizeTuned(source, compared, fitted, baselineId)
  const from = tunedFrom(
    { trials: compared.map((trial) => trials[trial]), queries, clusters, tuning },
    (index) => primaryOf(compared[index]),
  )
  const comparedRows = compared.map((trial) => rows[trial])
  const { better } = measures[primary].metric
  const judging = {
    trials,
    primary: measures[primary],
    valuesOf: primaryOf,
    level: compare.level,
    held:
      tuning.kind === 'none' ? null : { kind: tuning.kind, parts: queryPartNames(queries, tuning, clusters) },
  }
  return {
    format: FORMAT,
    experiment: name,
    datasets: [describeDataset(session, open)],
    depth,
    context: { chunks: context.top },
    measures: measures.map((measure) => measure.name),
    primary: compare.by,
    level: compare.level,
    ...scalesOf(plan.experiment, measures),
    tuning,
    ...(compare.cluster !== undefined && { cluster: compare.cluster }),
    trials: summaries,
    tuned: tuned.map(({ values: _, ...row }) => row),
    comparison:
      tuned.length > 0
        ? compareRows(
            // A row stands for its strategy, also next to a plain baseline.
            tuned.map((row) => ({ ...row, strategy: row.id, quality: row.measures[compare.by].mean })),
            baselineId,
            compare,
            better,
            {
              tuned: from,
              untested: new Set(tuning.kind === 'folds' ? fitted.map(({ id }) => id) : []),
              clusters,
            },
          )
        : compareRows(comparedRows, baselineId, compare, better, { clusters }),
    routing: [...routersOf(trials, merged, primaryOf), ...fitted].map((router) =>
      describeRouting(router, judging),
    ),
    ...describeStandIn(session.trials),
    health: describeHealth(session, merged, finalists),
    pricing: describePricing(plan.experiment.prices, queries),
    indexes: (await describeIndexes(session)).map((index) => ({
      ...index,
      prepare: portable(index.prepare, plan.experiment.file),
    })),
  }
}

function sourceOf(session: Session, merged: Merged): Source {
  const { plan, measures } = session
  const primary = measures.findIndex(({ name }) => name === plan.experiment.compare.by)
  const valuesOf = (trial: number, measure: number) =>
    merged.values[measure].subarray(trial * merged.queries, (trial + 1) * merged.queries)
  return {
    session,
    merged,
    trials: session.trials.map((trial) => portableTrial(trial, plan.experiment.file)),
    primary,
    valuesOf,
    primaryOf: (trial) => valuesOf(trial, primary),
  }
}

/**
 * Estimates columns, one per measure, over all queries and by category. By category only the primary measure has
 * intervals.
 */
function createColumnEstimator({ session }: Source) {
  const { measures, queries, clusters, plan } = session
  const { level, by } = plan.experiment.compare
  const everywhere = Int32Array.from(queries.keys())
  const categories = categoriesOf(session).map((category) => ({
    category,
    places: everywhere.filter((place) => queries[place].category === category),
  }))
  return (columns: readonly Float64Array[], interval: boolean) => ({
    measures: estimateColumns(measures, columns, { level, interval: () => interval, clusters }),
    categories: Object.fromEntries(
      categories.map(({ category, places }) => [
        category,
        estimateColumns(
          measures,
          columns.map((column) => valuesAt(column, places)),
          {
            level,
            interval: ({ name }) => interval && name === by,
            clusters: clusters && valuesAt(clusters, places),
          },
        ),
      ]),
    ),
  })
}

async function summarizeTrials(
  source: Source,
  finalists: readonly number[],
  progress: Progress,
): Promise<TrialSummary[]> {
  const { session, merged, trials, valuesOf } = source
  const { measures, queries, plan } = session
  const estimate = createColumnEstimator(source)
  const prices = callPrices(plan.experiment)
  const summarizeTrial = (trial: CompiledTrial, place: number): TrialSummary => {
    const finalist = finalists.includes(place)
    const interval = finalist || trials.length <= FEW_TRIALS
    const columns = measures.map((_, measure) => valuesOf(place, measure))
    const failures = merged.failures.filter((failure) => failure.trial === place)
    const counted = perQuery(merged, place)
    return {
      id: trial.id,
      name: trial.name,
      strategy: trial.strategy,
      params: trial.params,
      varied: trial.varied,
      ...(trial.filter && { filter: trial.filter }),
      ...(trial.engine && { engine: trial.engine }),
      ...(trial.language && { language: describeChoice(trial.language) }),
      before: trial.before.map(describeChoice),
      after: trial.after.map(describeChoice),
      variant: trial.recipe,
      ...(trial.seeds.length > 0 && { seeds: 1 + trial.seeds.length }),
      ...estimate(columns, interval),
      perQuery: counted,
      ...(plan.experiment.prices && { calls: callCost(counted, prices) }),
      fallbacks: fallbacksOf(merged, place),
      failed: failures.length,
      failures: failures
        .slice(0, MAX_FAILURES)
        .map(({ query, step, message }) => ({ query: queries[query].id, step, message })),
      ...lostGold(merged, session, place),
      finalist,
    }
  }
  const summaries: TrialSummary[] = []
  for (const [place, trial] of trials.entries()) {
    progress('trials summarized', place, trials.length)
    summaries.push(summarizeTrial(trial, place))
    // Lets a pending signal be handled.
    await setImmediate()
  }
  progress('trials summarized', trials.length, trials.length)
  return summaries
}

/** Rows of strategies tuned over `compared`, and of fitted routers. */
function summarizeTuned(
  source: Source,
  compared: readonly number[],
  fitted: readonly RoutedQueries[],
  baseline: string,
): TunedRow[] {
  const { session, trials, primary, valuesOf } = source
  const { measures, queries, clusters, plan } = session
  const { tuning } = plan.experiment
  const estimate = createColumnEstimator(source)
  const inTrials = (picked: Int32Array) => picked.map((index) => compared[index] ?? -1)
  const strategies = tunedRows({
    trials: compared.map((trial) => trials[trial]),
    queries,
    clusters,
    measures,
    primary,
    tuning,
    baseline,
    valuesOf: (index, measure) => valuesOf(compared[index], measure),
    estimate: (columns) => estimate(columns, true),
    inTrials,
  })
  const routers = fitted.map(({ id, name, picked, values, optimism }): TunedRow => {
    const columns = measures.map((_, measure) =>
      Float64Array.from(picked, (trial, query) => (trial < 0 ? Number.NaN : valuesOf(trial, measure)[query])),
    )
    return {
      id,
      name,
      strategy: name,
      values,
      optimism,
      chosen: [],
      // In folds, the router was fitted on queries that score it.
      ...estimate(columns, tuning.kind === 'split'),
      picked: Array.from(picked, (trial) => (trial < 0 ? null : trial)),
    }
  })
  return [...strategies, ...routers]
}

function valuesAt(values: ArrayLike<number>, places: Int32Array): Float64Array {
  const picked = new Float64Array(places.length)
  for (let i = 0; i < places.length; i++) picked[i] = values[places[i]]
  return picked
}

/** In byte order of the reasons. */
function fallbacksOf({ fallbacks, queries }: Merged, trial: number): TrialSummary['fallbacks'] {
  return [...fallbacks[trial]]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([when, fell]) => ({ when, share: fell / queries }))
}

/** Relevant labels by the stage that lost them; found ones by channel. */
function lostGold(
  merged: Merged,
  session: Session,
  trial: number,
): Pick<TrialSummary, 'funnel' | 'channels'> {
  const { queries, corpora, trials } = session
  const { stages, recipe } = trials[trial]
  const lost = new Array<number>(stages.length).fill(0)
  const byChannels = new Map<number, number>()
  const all = merged.labelOffsets[merged.queries]
  queries.forEach(({ answerable }, query) => {
    const { grades } = corpora[recipe].labels[query]
    for (let label = 0; label < grades.length; label++) {
      if (!answerable || grades[label] < 1) continue
      const row = trial * all + merged.labelOffsets[query] + label
      lost[merged.stages[row]]++
      if (merged.ranks[row] === 0) continue
      const mask = merged.channels[row]
      byChannels.set(mask, (byChannels.get(mask) ?? 0) + 1)
    }
  })
  return {
    funnel: stages.map((stage, place) => ({ stage, lost: lost[place] })),
    channels: Object.fromEntries(
      [...byChannels]
        .map(([mask, found]) => [channelNames(mask), found] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
}
