import type { Range } from '../metrics/range.ts'
import { type Comparison, type Correction, compareTrials, type Pair } from '../statistics/compare.ts'
import type { ComparedRow, Summary, TrialSummary } from './summary.ts'

/**
 * Recommendation of one trial. The best of each strategy within the limits are compared in pairs, corrected for all
 * pairs and for the choice inside the strategies. A verdict of the experiment's own comparison takes precedence. If
 * the leader is better than all, it is recommended; otherwise the cheapest of those close to it.
 */

/** Costs of a trial; undefined if not measured. */
export interface Costs {
  /** True if language models write a part of its index. */
  readonly indexModels?: boolean
  /** Known prices only. */
  readonly indexDollars?: number
  /** Tokens of a query: sent chunks and evidence, and the strategy's own calls. */
  readonly tokens: number
  readonly callTokens: number
  /** Per query. */
  readonly dollars?: number
  /** Milliseconds. */
  readonly p95?: number
  /** Estimated bytes of one process. */
  readonly memory?: number
}

export interface Candidate {
  readonly trial: TrialSummary
  /** The strategy, or another system's name. */
  readonly strategy: string
  readonly costs: Costs
  /** Primary measure by query; NaN if a query does not count. */
  readonly values: Float64Array
}

/** Maximum costs; `indexModels: false` forbids language models at indexing. */
export type Limits = Partial<Omit<Costs, 'callTokens'>>

export interface Excluded {
  readonly candidate: Candidate
  readonly broken: readonly (keyof Limits)[]
  /** Limits on unmeasured costs. */
  readonly unknown: readonly (keyof Limits)[]
}

export type Reason = 'better' | 'only' | 'best mean' | 'cheapest'

export interface Recommendation {
  readonly choice: Candidate
  readonly reason: Reason
  /** Cost by which the choice alone is the cheapest; null if the best mean decided. */
  readonly cheaper: keyof Costs | null
  readonly leader: Candidate
  /** Best other candidate, or the leader if it is not the choice. */
  readonly runnerUp: Candidate | null
  /** The choice minus the runner-up. */
  readonly comparison: Comparison | null
  /** Candidates not worse than the leader, itself included, best first. */
  readonly open: readonly Candidate[]
  /** Those of `open` whose mean is nearly the leader's. */
  readonly close: readonly Candidate[]
  /** Best of each strategy within the limits, best first. */
  readonly members: readonly Candidate[]
  readonly excluded: readonly Excluded[]
  readonly comparisons: number
}

interface RecommendOptions {
  readonly limits: Limits
  readonly better: 'higher' | 'lower'
  readonly range: Range
  readonly level: number
  readonly correction: Correction
  readonly draws: number
  readonly seed: number
  readonly clusters?: Int32Array | undefined
  /** Rows of the experiment's own comparison. */
  readonly declared: readonly ComparedRow[]
}

/** Returns null if no candidate is within the limits. */
export function chooseTrial(
  candidates: readonly Candidate[],
  summary: Pick<Summary, 'primary'>,
  options: RecommendOptions,
): Recommendation | { readonly choice: null; readonly excluded: readonly Excluded[] } {
  const { limits, better } = options
  const judged = candidates.map((candidate) => ({ candidate, ...brokenBy(candidate, limits) }))
  const excluded = judged.filter(({ broken, unknown }) => broken.length + unknown.length > 0)
  const allowed = judged.filter((item) => !excluded.includes(item)).map(({ candidate }) => candidate)
  const sign = better === 'higher' ? 1 : -1
  const meanOf = ({ trial }: Candidate) => sign * trial.measures[summary.primary].mean
  const ranked = [...allowed].sort((a, b) => meanOf(b) - meanOf(a))
  const members = ranked.filter(
    ({ strategy }, index) => ranked.findIndex((candidate) => candidate.strategy === strategy) === index,
  )
  const [leader, second] = members
  if (!leader) return { choice: null, excluded }
  const tested = comparePairs(ranked, members, options)
  const whole = (row: Candidate) => excluded.every(({ candidate }) => candidate.strategy !== row.strategy)
  const compared = (a: Candidate, b: Candidate) =>
    (whole(a) && whole(b) && declaredVerdict(options.declared, a, b)) || tested(a, b)
  const isOpen = (candidate: Candidate) =>
    candidate === leader || compared(leader, candidate)?.verdict !== 'better'
  const open = members.filter(isOpen)
  const { low, high } = options.range
  const near = NEAR * (Number.isFinite(high - low) ? high - low : Math.abs(meanOf(leader)))
  const close = open.filter((candidate) => meanOf(leader) - meanOf(candidate) <= near)
  const [choice, cheaper] = cheapestOf(close)
  const runnerUp = (choice === leader ? second : leader) ?? null
  return {
    choice,
    cheaper,
    leader,
    runnerUp,
    open,
    close,
    members,
    excluded,
    reason:
      members.length === 1
        ? 'only'
        : open.length === 1
          ? 'better'
          : close.length === 1
            ? 'best mean'
            : 'cheapest',
    comparison: runnerUp && compared(choice, runnerUp),
    comparisons: (members.length * (members.length - 1)) / 2,
  }
}

function brokenBy({ costs }: Candidate, limits: Limits) {
  const keys = Object.keys(limits) as (keyof Limits)[]
  const unknown = keys.filter((key) => costs[key] === undefined)
  const broken = keys.filter((key) => Number(costs[key] ?? 0) > Number(limits[key]))
  return { broken, unknown }
}

/** Compares every pair of members, each with the trials of its strategy that it was chosen from. */
function comparePairs(
  ranked: readonly Candidate[],
  members: readonly Candidate[],
  { better, range, level, correction, draws, seed, clusters }: RecommendOptions,
): (a: Candidate, b: Candidate) => Comparison | null {
  const among = ({ strategy }: Candidate) =>
    ranked.filter((candidate) => candidate.strategy === strategy).map(({ trial }) => trial.id)
  const family = members.flatMap((a, at) =>
    members
      .slice(at + 1)
      .flatMap((b): Pair[] => [
        { name: a.trial.id, baseline: b.trial.id, names: among(a), baselines: among(b) },
      ]),
  )
  if (family.length === 0) return () => null
  const tests = compareTrials({
    names: ranked.map(({ trial }) => trial.id),
    matrix: ranked.map(({ values }) => values),
    family,
    clusters,
    level,
    correction,
    draws,
    seed,
    better,
    range,
  })
  return (a, b) => {
    const direct = tests.find((test) => test.name === a.trial.id && test.baseline === b.trial.id)
    if (direct) return direct
    const turned = tests.find((test) => test.name === b.trial.id && test.baseline === a.trial.id)
    return turned ? turn(turned) : null
  }
}

/** Verdict of the experiment's own comparison on two trials or their tuned rows; null without one. */
function declaredVerdict(declared: readonly ComparedRow[], a: Candidate, b: Candidate): Comparison | null {
  const is = (id: string, { trial, strategy }: Candidate) => id === trial.id || id === `tuned:${strategy}`
  const row = declared.find((comparedRow) => is(comparedRow.id, a) && is(comparedRow.baseline, b))
  const turned = declared.find((comparedRow) => is(comparedRow.id, b) && is(comparedRow.baseline, a))
  const comparison = row ? asComparison(row) : turned ? turn(asComparison(turned)) : null
  return comparison?.verdict === 'better' || comparison?.verdict === 'worse' ? comparison : null
}

function asComparison({ id: _, datasets, ...row }: ComparedRow): Comparison {
  return { ...row, strata: datasets }
}

const OPPOSITE = { better: 'worse', worse: 'better' } as const

function turn(test: Comparison): Comparison {
  const { verdict, low, high, difference, wins, losses, effect } = test
  return {
    ...test,
    name: test.baseline,
    baseline: test.name,
    difference: -difference,
    wins: losses,
    losses: wins,
    effect: -effect,
    low: high === null ? null : -high,
    high: low === null ? null : -low,
    strata: test.strata.map((stratum) => ({ ...stratum, difference: -stratum.difference })),
    verdict: verdict === 'better' || verdict === 'worse' ? OPPOSITE[verdict] : verdict,
  }
}

/** Share of the measure's range (2 points) within which means are close. */
const NEAR = 0.02

/** Costs in the order in which they decide. */
const PRIORITY = ['indexModels', 'indexDollars', 'callTokens', 'dollars', 'p95', 'tokens', 'memory'] as const
/** Costs within a tenth, or within this (milliseconds, bytes), are alike. */
const ALIKE: Partial<Record<keyof Costs, number>> = { p95: 10, memory: 1e8 }

/** The cheapest candidate, and the cost that singled it out. Of equal ones the first, which is the best. */
function cheapestOf(open: readonly Candidate[]): [Candidate, keyof Costs | null] {
  let left = open
  let by: keyof Costs | null = null
  for (const cost of PRIORITY) {
    const costsOfLeft = left.map(({ costs }) =>
      costs[cost] === undefined ? Number.NaN : Number(costs[cost]),
    )
    if (costsOfLeft.some(Number.isNaN)) continue
    const least = Math.min(...costsOfLeft)
    const cheapest = left.filter(
      (_, index) => costsOfLeft[index] <= Math.max(1.1 * least, least + (ALIKE[cost] ?? 0)),
    )
    if (cheapest.length < left.length) by = cost
    left = cheapest
  }
  return [left[0], left.length === 1 ? by : null]
}
