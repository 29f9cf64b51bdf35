import { resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { costOfArtifacts, modelArtifactsOf } from '../experiment/plan/ask-artifacts.ts'
import { artifactsOf, comparedStrategy } from '../experiment/plan/compile.ts'
import { estimateMemory } from '../experiment/plan/estimate-memory.ts'
import { type OpenExperiment, openExperiment } from '../experiment/plan/open.ts'
import { readPlan, type StoredPlan } from '../experiment/plan/plan.ts'
import { ANY, SHARE } from '../metrics/range.ts'
import { tokensOf } from '../report/leaderboard-rows.ts'
import { measureScale } from '../report/measured.ts'
import { trialDollars } from '../report/views/cost.ts'
import type { Latency } from '../results/latency.ts'
import { readLatency } from '../results/read.ts'
import {
  type Candidate,
  type Costs,
  type Limits,
  type Recommendation,
  recommend,
} from '../results/recommend.ts'
import { readQueryClusters, readRowValues } from '../results/row-values.ts'
import { readWhole } from '../results/sample.ts'
import type { Summary, TrialSummary } from '../results/summary.ts'
import { configOf } from './trial-config.ts'

export interface Recommended extends Recommendation {
  readonly summary: Summary
  /** Reason for unknown costs of indexing; absent if they are known. */
  readonly unknownIndex?: string
  /** Config of the choice alone, as YAML; paths are relative to `folder`. */
  config(folder: string): Promise<string>
}

/**
 * Recommends a trial of a finished experiment within limits. Throws a UserError if the experiment ran on a sample, if a limit
 * is on a cost that was not measured, or if no trial is within the limits.
 */
export async function recommendTrial(folder: string, limits: Limits = {}): Promise<Recommended> {
  const at = resolve(folder)
  const summary = readWhole(folder)
  const latency = readLatency(at)
  const plan = readPlan(at)
  requireMeasured(folder, limits, summary, latency)
  const index = await indexCosts(plan, limits)
  const valuesOf = await readRowValues(at, summary)
  const { primary, comparison, trials, dataset } = summary
  const candidates = trials
    .filter(({ failed, measures }) => failed < dataset.queries && measures[primary]?.n > 0)
    .map(
      (trial): Candidate => ({
        trial,
        strategy: comparedStrategy(trial),
        costs: { ...queryCosts(trial, summary, latency), ...index.costs.get(trial.id) },
        values: valuesOf(trial.id, primary) ?? new Float64Array(0),
      }),
    )
  if (candidates.length === 0)
    throw new UserError({
      file: folder,
      message: `no trial has a mean of ${primary}; nothing can be recommended`,
    })
  const { bounded, better } = measureScale(summary, primary)
  const { compare } = plan.experiment
  const found = recommend(candidates, summary, {
    limits,
    better,
    range: bounded ? SHARE : ANY,
    level: comparison?.level ?? compare.level,
    correction: compare.correction,
    draws: compare.draws,
    seed: compare.seed,
    clusters: await readQueryClusters(at, summary),
    declared: comparison?.rows ?? [],
  })
  if (found.choice === null)
    throw new UserError(
      found.excluded.map(({ candidate, broken, unknown }) => ({
        file: folder,
        message: `${candidate.trial.name} is not within ${[...broken, ...unknown.map((one) => `${one} (not measured)`)].join(', ')}`,
      })),
    )
  const { choice } = found
  return {
    ...found,
    summary,
    ...(index.unknown !== undefined && { unknownIndex: index.unknown }),
    config: (target) => configOf(plan, choice.trial, target),
  }
}

function requireMeasured(folder: string, limits: Limits, summary: Summary, latency: Latency | null): void {
  const lacks = [
    limits.p95 !== undefined &&
      !latency &&
      'no trial was timed: add `latency: {}` to the config and run it again',
    limits.dollars !== undefined &&
      !summary.pricing &&
      'nothing has a price: add `prices` to the config and run it again',
  ].filter((one) => one !== false)
  if (lacks.length > 0) throw new UserError(lacks.map((message) => ({ file: folder, message })))
}

function queryCosts(trial: TrialSummary, { pricing }: Summary, latency: Latency | null): Costs {
  const { inputTokens = 0, outputTokens = 0 } = trial.perQuery
  const callTokens = inputTokens + outputTokens
  const p95 = latency?.trials.find(({ id }) => id === trial.id)?.p95.value
  return {
    callTokens,
    tokens: (tokensOf(trial) ?? 0) + callTokens,
    ...(pricing && { dollars: trialDollars(trial, pricing) / 1000 }),
    ...(p95 !== undefined && { p95 }),
  }
}

type IndexCosts = Pick<Costs, 'indexModels' | 'indexDollars' | 'memory'>

/** Costs of each trial's index, as far as the experiment's data and store are still there; needed where a limit is on them. */
async function indexCosts(
  { experiment, store }: StoredPlan,
  limits: Limits,
): Promise<{ costs: ReadonlyMap<string, IndexCosts>; unknown?: string }> {
  try {
    const open = await openExperiment(experiment, store)
    const costs = new Map<string, IndexCosts>()
    for (const trial of open.trials) costs.set(trial.id, await indexCostsOf(open, trial))
    await open.store.close()
    return { costs }
  } catch (error) {
    const needed = (['indexModels', 'indexDollars', 'memory'] as const).some(
      (key) => limits[key] !== undefined,
    )
    if (!(error instanceof UserError) || needed) throw error
    return { costs: new Map(), unknown: error.message }
  }
}

async function indexCostsOf(
  open: OpenExperiment,
  trial: OpenExperiment['trials'][number],
): Promise<IndexCosts> {
  const asking = modelArtifactsOf({ artifacts: artifactsOf([trial]) })
  const { dollars } = await costOfArtifacts(open.store, asking)
  return {
    indexModels: asking.length > 0,
    ...(dollars !== null && { indexDollars: dollars }),
    memory: estimateMemory({ ...open, trials: [{ ...trial, seeds: [] }] }, 1).run,
  }
}
