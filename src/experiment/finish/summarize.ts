import { setImmediate } from 'node:timers/promises'
import { FORMAT } from '../../results/format.ts'
import type { Result, TrialSummary } from '../../results/summary.ts'
import type { Progress } from '../../types.ts'
import { type CompiledTrial, describeChoice } from '../plan/compile.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { callPrices } from '../plan/spending.ts'
import { channelNames } from '../shard/funnel.ts'
import type { Session } from '../shard/session.ts'
import { compareRows } from './compare-rows.ts'
import {
  callCost,
  categoriesOf,
  describeDataset,
  describeIndexes,
  describePricing,
  describeStandIn,
  portable,
  scalesOf,
} from './describe.ts'
import type { RoutedQueries } from './fitted-routers.ts'
import { describeHealth } from './health.ts'
import type { Merged } from './merge.ts'
import { describeRouting, routersOf } from './routing.ts'
import {
  baselineRow,
  estimateColumns,
  perQuery,
  primaryRows,
  type Scored,
  type TunedRow,
  tunedFrom,
  tunedRows,
} from './rows.ts'

const FEW_TRIALS = 30

const MAX_FAILURES = 5

export async function summarize(
  scored: Scored,
  open: OpenExperiment,
  finalists: readonly number[],
  fitted: readonly RoutedQueries[],
  progress: Progress,
): Promise<Result> {
  const { session, merged, trials, primary, held, valuesOf } = scored
  const { plan, measures, queries, clusters } = session
  const { compare, context, depth, name, tuning } = plan.experiment
  const baselineId = baselineRow(trials, plan.experiment)
  const estimate = createColumnEstimator(session)
  const summaries = await summarizeTrials(scored, finalists, estimate, progress)
  // A trial that failed on every query is not compared.
  const compared = [...trials.keys()].filter((trial) => summaries[trial].failed < queries.length)
  const tuned = [
    ...tunedRows(scored, compared, baselineId, (columns) => estimate(columns, true)),
    ...fitted.map((router) => routerRow(scored, router, estimate)),
  ]
  const rows = primaryRows(scored)
  const { better } = primary.metric
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
              tuned: tunedFrom(scored, compared),
              untested: new Set(tuning.kind === 'folds' ? fitted.map(({ id }) => id) : []),
              clusters,
            },
          )
        : compareRows(
            compared.map((trial) => rows[trial]),
            baselineId,
            compare,
            better,
            { clusters },
          ),
    routing: [...routersOf(trials, merged, valuesOf), ...fitted].map((router) =>
      describeRouting(router, { trials, primary, valuesOf, held, level: compare.level }),
    ),
    ...describeStandIn(session.trials),
    health: describeHealth(scored, finalists),
    pricing: describePricing(plan.experiment.prices, queries),
    indexes: (await describeIndexes(session)).map((index) => ({
      ...index,
      prepare: portable(index.prepare, plan.experiment.file),
    })),
  }
}

type Estimator = ReturnType<typeof createColumnEstimator>

/**
 * Estimates columns, one per measure, over all queries and by category. By category only the primary measure has
 * intervals.
 */
function createColumnEstimator(session: Session) {
  const { measures, queries, clusters, plan } = session
  const { level, by } = plan.experiment.compare
  const everywhere = Int32Array.from(queries.keys())
  const categories = categoriesOf(session).map((category) => ({
    category,
    places: everywhere.filter((place) => queries[place].category === category),
  }))
  return (columns: readonly Float64Array[], interval: boolean) => ({
    measures: estimateColumns(measures, columns, level, () => interval, clusters),
    categories: Object.fromEntries(
      categories.map(({ category, places }) => [
        category,
        estimateColumns(
          measures,
          columns.map((column) => valuesAt(column, places)),
          level,
          ({ name }) => interval && name === by,
          clusters && valuesAt(clusters, places),
        ),
      ]),
    ),
  })
}

async function summarizeTrials(
  { session, merged, trials, valuesOf }: Scored,
  finalists: readonly number[],
  estimate: Estimator,
  progress: Progress,
): Promise<TrialSummary[]> {
  const { measures, queries, plan } = session
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

function routerRow(
  { session, valuesOf, held }: Scored,
  router: RoutedQueries,
  estimate: Estimator,
): TunedRow {
  const { id, name, picked, values, optimism } = router
  const columns = session.measures.map((_, measure) =>
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
    ...estimate(columns, held?.kind === 'split'),
    picked: Array.from(picked, (trial) => (trial < 0 ? null : trial)),
  }
}

function valuesAt(values: ArrayLike<number>, places: Int32Array): Float64Array {
  const picked = new Float64Array(places.length)
  for (let i = 0; i < places.length; i++) picked[i] = values[places[i]]
  return picked
}

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
        .map(([mask, count]) => [channelNames(mask), count] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
}
