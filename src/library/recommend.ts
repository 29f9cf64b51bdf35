import { resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { artifactsOf, comparedStrategy } from '../experiment/plan/compile.ts'
import { estimateMemory } from '../experiment/plan/estimate-memory.ts'
import { type OpenExperiment, openExperiment } from '../experiment/plan/open.ts'
import { readPlan, type StoredPlan } from '../experiment/plan/plan.ts'
import { costOfArtifacts, modelArtifactsOf } from '../experiment/plan/requests.ts'
import { ANY, SHARE } from '../metrics/range.ts'
import { tokensOf, trialDollars } from '../report/make-board.ts'
import { measureScale } from '../report/measured.ts'
import { plural } from '../report/numbers.ts'
import { recommendationText, recommendationWords } from '../report/recommend.ts'
import type { Latency } from '../results/latency.ts'
import { readLatency, readSingle, readWhole } from '../results/read.ts'
import { type Candidate, type Costs, chooseTrial, type Limits, type Reason } from '../results/recommend.ts'
import { readQueryClusters, readRowValues } from '../results/row-values.ts'
import type { Summary, TrialSummary } from '../results/summary.ts'
import type { Comparison } from '../statistics/compare.ts'
import { FEWEST_QUERIES } from '../statistics/sample.ts'
import { configOf } from './trial-config.ts'

export interface RecommendedTrial {
  /** Name of the trial. */
  readonly choice: string
  readonly id: string
  /** Sentence that defends it. */
  readonly because: string
  /** Categories in which another strategy is far better; may be empty. */
  readonly losses: string
  /** Facts that would change the decision. */
  readonly changes: readonly string[]
  readonly reason: Reason
  readonly costs: Costs
  /** Choice minus runner-up; null without one. */
  readonly comparison: Comparison | null
  /** Trials that the test cannot tell from the best. */
  readonly open: readonly string[]
  readonly runnerUp: { readonly name: string; readonly costs: Costs } | null
  /** Over a limit, or with a cost that nothing measured. */
  readonly excluded: readonly {
    readonly name: string
    readonly broken: readonly (keyof Limits)[]
    readonly unknown: readonly (keyof Limits)[]
  }[]
  /** All of it as plain text. */
  readonly text: string
  /** Config of the choice alone, with paths relative to `folder`. */
  config(folder: string): Promise<string>
}

/**
 * Recommends a trial of a finished experiment. Throws a UserError if the experiment ran on a sample or on fewer
 * than 15 questions, if a limit is on an unmeasured cost, or if no trial is within the limits.
 */
export async function recommend(folder: string, options: Limits = {}): Promise<RecommendedTrial> {
  const limits: Limits = Object.fromEntries(Object.entries(options).filter(([, most]) => most !== undefined))
  const at = resolve(folder)
  const summary = readWhole(folder, readSingle)
  const latency = readLatency(at)
  const plan = readPlan(at)
  requireMeasured(folder, limits, summary, latency)
  const index = await indexCosts(plan, limits)
  const valuesOf = await readRowValues(at, summary)
  const {
    primary,
    comparison,
    trials,
    datasets: [dataset],
  } = summary
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
    throw new UserError(`no trial has a mean of ${primary}; nothing can be recommended`, folder)
  const questions = Math.max(...candidates.map(({ trial }) => trial.measures[primary].n))
  if (questions < FEWEST_QUERIES)
    throw new UserError(
      `has ${plural(questions, 'question')}, and a winner needs at least ${FEWEST_QUERIES}: differences on fewer are mostly chance; add ${FEWEST_QUERIES - questions} or more, as by \`touchstone view --ask CONFIG\`, and run it again`,
      folder,
    )
  const { bounded, better } = measureScale(summary, primary)
  const { compare } = plan.experiment
  const recommendation = chooseTrial(candidates, summary, {
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
  if (recommendation.choice === null)
    throw new UserError(
      recommendation.excluded.map(({ candidate, broken, unknown }) => ({
        file: folder,
        message: `${candidate.trial.name} is not within ${[...broken, ...unknown.map((cost) => `${cost} (not measured)`)].join(', ')}`,
      })),
    )
  const { choice, reason, open, runnerUp, comparison: test, excluded } = recommendation
  const words = recommendationWords(recommendation, summary, limits, index.unknown)
  const { because, losses, changes } = words
  return {
    choice: choice.trial.name,
    because,
    losses,
    changes,
    id: choice.trial.id,
    reason,
    costs: choice.costs,
    comparison: test,
    config: (target) => configOf(plan, choice.trial, target),
    open: open.map(({ trial }) => trial.name),
    runnerUp: runnerUp && { name: runnerUp.trial.name, costs: runnerUp.costs },
    excluded: excluded.map(({ candidate, broken, unknown }) => ({
      name: candidate.trial.name,
      broken,
      unknown,
    })),
    text: recommendationText(words),
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
  ].filter((reason) => reason !== false)
  if (lacks.length > 0) throw new UserError(lacks.map((message) => ({ file: folder, message })))
}

function queryCosts(trial: TrialSummary, { pricing }: Summary, latency: Latency | null): Costs {
  const { inputTokens = 0, outputTokens = 0 } = trial.perQuery
  const callTokens = inputTokens + outputTokens
  const timed = latency?.trials.find(({ id }) => id === trial.id)
  const p95 = timed?.searchOnly ? undefined : timed?.p95.value
  return {
    callTokens,
    tokens: (tokensOf(trial) ?? 0) + callTokens,
    ...(pricing && { dollars: trialDollars(trial, pricing) / 1000 }),
    ...(p95 !== undefined && { p95 }),
  }
}

type IndexCosts = Pick<Costs, 'indexModels' | 'indexDollars' | 'memory'>

/** Costs of each trial's index, if data and store are still there, as a limit on them needs. */
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
