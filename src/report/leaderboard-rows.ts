import type { Latency, TrialLatency } from '../results/latency.ts'
import type { PricingSummary } from '../results/pricing.ts'
import type { ComparedRow, Estimate, Summary, TrialSummary, TunedSummary } from '../results/summary.ts'
import { signOf } from './measured.ts'
import type { Rival } from './outcome.ts'

/** One row of the leaderboard: a trial, or a strategy tuned on other queries than it is scored on. */
export interface LeaderboardRow {
  readonly kind: 'trial' | 'tuned'
  /** As the comparison names it: a trial's id, or `tuned:<strategy>`. */
  readonly id: string
  readonly name: string
  readonly strategy: string
  /** Params that the config varies, in the order of the name; empty for a tuned row. */
  readonly varied: TrialSummary['varied']
  /** Macro means over several datasets; empty where one of them lacks the row. */
  readonly measures: Readonly<Record<string, Estimate>>
  /** Estimates by category, or by dataset if there are several; none of a dataset in which every query failed. */
  readonly groups: TrialSummary['categories']
  /** Mean tokens sent per query; of a tuned row the mean over the trials that its folds chose. */
  readonly tokens: number | null
  /** Dollars per 1,000 queries, as tokens; null without a price. */
  readonly dollars: number | null
  /** Number of seeds that the row is the mean over; null for one. */
  readonly seeds: number | null
  readonly modelCalls: number | null
  /** Counters of a trial, as means per query. */
  readonly perQuery: TrialSummary['perQuery']
  readonly fallbacks: number | null
  readonly failed: number | null
  /** Times; those of a tuned row are of the trial that most folds chose. */
  readonly latency: TrialLatency | null
  readonly compared: ComparedRow | null
  readonly baseline: boolean
  /** Reason for which there is no comparison with the baseline; '' if there is one, and for the baseline. */
  readonly untested: string
  /** Score of the best trial on the queries that selected it, minus this row's score; null for a trial. */
  readonly optimism: number | null
}

/** A summary as it is presented. */
export interface Leaderboard
  extends Pick<
    Summary,
    | 'experiment'
    | 'primary'
    | 'measures'
    | 'scales'
    | 'tuning'
    | 'comparison'
    | 'standIn'
    | 'level'
    | 'datasets'
  > {
  readonly summary: Summary
  /** True over several datasets: the means of rows are macro means. */
  readonly isMacro: boolean
  /** Strategies in the config's order. */
  readonly strategies: readonly string[]
  /** Rows without a macro mean, with the dataset that lacks them. */
  readonly missing: readonly string[]
  /** Tuned rows if there are any, otherwise trials; best first by the primary measure. */
  readonly ranked: readonly LeaderboardRow[]
  /** Trials from which tuning selected, best first; empty without tuned rows. */
  readonly seen: readonly LeaderboardRow[]
}

export function leaderboardOf(summary: Summary, latency: Latency | null = null): Leaderboard {
  const { comparison, datasets, trials, tuned } = summary
  const baseline = comparison?.baseline
  // In the family `pairs` a trial is in many comparisons; its own row shows only the one with the baseline.
  const compared = new Map(
    comparison?.rows.filter((row) => row.baseline === baseline).map((row) => [row.id, row]),
  )
  const untested = (row: Row): string => {
    if (!comparison || compared.has(row.id) || row.id === baseline) return ''
    if (!row.measures[summary.primary]) return 'not scored'
    if (comparison.untested?.includes(row.name)) return 'fitted router'
    if (tuned.length > 0 && row.kind === 'trial') return 'tuned rows only'
    if (comparison.family === 'best-per-strategy') return `not the best ${row.strategy}`
    return 'not tested'
  }
  const best = (rows: readonly Row[]) => {
    const sorted = [...rows].sort(bestFirst(summary))
    return sorted.map(
      (row): LeaderboardRow => ({
        ...NOTHING,
        ...row,
        compared: compared.get(row.id) ?? null,
        baseline: row.id === baseline,
        untested: untested(row),
      }),
    )
  }
  const times = new Map(latency?.trials.map((row) => [row.id, row]))
  const pricing = summary.pricing ?? null
  const ofTrials = best(trials.map((trial) => rowOfTrial(trial, pricing, times.get(trial.id) ?? null)))
  const ofTuned = best(tuned.map((row) => rowOfTuned(row, summary, times)))
  return {
    ...summary,
    summary,
    isMacro: datasets.length > 1,
    strategies: strategiesOf([...trials, ...tuned]),
    missing: datasets.flatMap(({ name: dataset }) =>
      datasets.length === 1
        ? []
        : [...ofTuned, ...ofTrials]
            .filter(({ groups }) => !groups[dataset])
            .map(({ name }) => `${name} on ${dataset}`),
    ),
    ranked: tuned.length > 0 ? ofTuned : ofTrials,
    seen: tuned.length > 0 ? ofTrials : [],
  }
}

/** Defaults of optional fields. */
const NOTHING = {
  tokens: null,
  dollars: null,
  modelCalls: null,
  fallbacks: null,
  failed: null,
  latency: null,
  optimism: null,
  perQuery: {},
  varied: {},
  seeds: null,
} as const

type Row = Pick<LeaderboardRow, 'kind' | 'id' | 'name' | 'strategy' | 'measures' | 'groups'> &
  Partial<LeaderboardRow>

function rowOfTrial(trial: TrialSummary, pricing: PricingSummary | null, latency: TrialLatency | null): Row {
  const { id, name, strategy, varied, measures, categories: groups, perQuery, failed } = trial
  return {
    kind: 'trial',
    id,
    name,
    strategy,
    varied,
    measures,
    groups,
    failed,
    latency,
    perQuery,
    tokens: tokensOf(trial),
    dollars: pricing && trialDollars(trial, pricing),
    seeds: trial.seeds ?? null,
    modelCalls: perQuery.modelCalls ?? null,
    fallbacks: perQuery.fallbacks ?? null,
  }
}

function rowOfTuned(tuned: TunedSummary, summary: Summary, times: ReadonlyMap<string, TrialLatency>): Row {
  const { id, strategy, name, measures, categories: groups, optimism } = tuned
  const { trials } = summary
  const pricing = summary.pricing ?? null
  const chosen = tuned.chosen.flatMap((id) => trials[trialIndex(summary, id)] ?? [])
  const tokens = meanOf(chosen.map(tokensOf))
  const dollars = pricing && meanOf(chosen.map((trial) => trialDollars(trial, pricing)))
  const latency = times.get(trials[tunedIndex(summary, tuned)]?.id) ?? null
  return { kind: 'tuned', id, name, strategy, measures, groups, optimism, tokens, dollars, latency }
}

/** Mean; null without values, or if one is null. */
function meanOf(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null)
  if (numbers.length === 0 || numbers.length < values.length) return null
  return numbers.reduce((sum, value) => sum + value / numbers.length, 0)
}

/** Name of the tokens that `tokensOf` returns; a measure has the same name. */
export function tokensName({ context }: Pick<Summary, 'context'>): string {
  return `tokens@${context.chunks}`
}

/** Text whose tokens are counted, in words. */
export function sentWords({ context }: Pick<Summary, 'context'>): string {
  return `${context.chunks === 1 ? 'the first chunk' : `the first ${context.chunks} chunks`} and ${context.chunks === 1 ? 'its' : 'their'} evidence`
}

/** Mean tokens per query of the sent chunks and their evidence; null if not counted. */
export function tokensOf({ perQuery }: TrialSummary): number | null {
  return perQuery.tokens === undefined ? null : perQuery.tokens + (perQuery.evidenceTokens ?? 0)
}

/** Input and output tokens per query: the context, the prompt and the strategy's model calls. */
function tokensRead(trial: TrialSummary, { promptTokens }: PricingSummary) {
  const { inputTokens = 0, outputTokens = 0 } = trial.perQuery
  return { input: (tokensOf(trial) ?? 0) + promptTokens + inputTokens, output: outputTokens }
}

/** Dollars per 1,000 queries. Calls to models with a known price use that price, all else the price of the config. */
export function trialDollars(trial: TrialSummary, pricing: PricingSummary): number {
  const { input, output } = tokensRead(trial, pricing)
  const { calls = { inputTokens: 0, outputTokens: 0, dollars: 0 } } = trial
  const others = (input - calls.inputTokens) * pricing.input + (output - calls.outputTokens) * pricing.output
  return 1000 * (others / 1e6 + calls.dollars)
}

type Measured = Pick<TrialSummary, 'measures'>

/** Sorts by the primary measure, best first. */
function bestFirst(summary: Pick<Summary, 'primary' | 'scales'>): (a: Measured, b: Measured) => number {
  const { primary } = summary
  const sign = signOf(summary)
  const quality = ({ measures }: Measured) => sign * (measures[primary]?.mean ?? -sign * Number.MAX_VALUE)
  return (a, b) => quality(b) - quality(a)
}

/** Scored rows with their estimates of the primary measure. */
export function rivals({ ranked, primary }: Leaderboard): (Rival & { row: LeaderboardRow })[] {
  return ranked.flatMap((row) =>
    row.measures[primary]
      ? [
          {
            row,
            name: row.name,
            whole: row.measures[primary],
            groups: Object.fromEntries(Object.entries(row.groups).map(([name, own]) => [name, own[primary]])),
          },
        ]
      : [],
  )
}

/** True if a row has a mean, and not every query failed in every trial. */
export function isScored(board: Leaderboard): boolean {
  return rivals(board).length > 0 && !allFailed(board)
}

export function allFailed({ summary: { trials, datasets } }: Leaderboard): boolean {
  return trials.length > 0 && trials.every(({ failed }) => failed > 0 && failed === queriesOf(datasets))
}

/** Number of queries of all datasets. */
export function queriesOf(datasets: Summary['datasets']): number {
  return datasets.reduce((sum, { queries }) => sum + queries, 0)
}

/** The winner and the baseline. */
export function headlineRows(ranked: readonly LeaderboardRow[]): LeaderboardRow[] {
  return ranked.filter((row, rank) => rank === 0 || row.baseline)
}

/** Confidence in words: '95 % '; '' without a level. */
export function confidence(level: number | undefined): string {
  return level === undefined ? '' : `${Number((100 * (1 - level)).toFixed(2))} % `
}

/**
 * Indexes of the trials that represent their strategies in charts: one trial per strategy and the baseline, at most `max`
 * strategies. Tuned strategies come in the order of their rows, each by its most frequently selected trial; otherwise the
 * best trial of each strategy, best first.
 */
export function representatives(summary: Summary, max = 12): number[] {
  const best = summary.tuned.length > 0 ? tunedPlaces(summary) : bestPlaces(summary)
  const baseline = baselinePlace(summary)
  const wanted = best.slice(0, max)
  if (baseline === null || wanted.includes(baseline)) return wanted
  return summary.tuned.length > 0 ? [...wanted, baseline] : byQuality(summary, [...wanted, baseline])
}

/** Describes `representatives` for captions. */
export function representing({ tuned, comparison }: Summary): string {
  const baseline = comparison ? ', and the baseline' : ''
  return tuned.length > 0
    ? `One trial per strategy, the one that tuning chose most often${baseline}, in the order of the leaderboard`
    : `The best trial of each strategy${baseline}, best first`
}

/** Index of the baseline trial, or of the trial that represents a tuned baseline; null without a comparison. */
export function baselinePlace(summary: Summary): number | null {
  const id = summary.comparison?.baseline
  if (id === undefined) return null
  const index = placeOf(summary, id)
  return index < 0 ? null : index
}

/** Index of a row's trial, or of the trial that represents a tuned row; -1 without one. */
export function placeOf(summary: Summary, id: string): number {
  const tuned = summary.tuned.find((row) => row.id === id)
  return tuned ? tunedIndex(summary, tuned) : trialIndex(summary, id)
}

/** Strategies in the config's order, which assigns colours and shapes. */
export function strategiesOf(rows: readonly { readonly strategy: string }[]): string[] {
  return [...new Set(rows.map(({ strategy }) => strategy))]
}

function tunedPlaces(summary: Summary): number[] {
  const rows = [...summary.tuned].sort(bestFirst(summary))
  return [...new Set(rows.map((row) => tunedIndex(summary, row)).filter((index) => index >= 0))]
}

/** Index of the trial selected by most folds; the better one if two were selected equally often. */
function tunedIndex(summary: Summary, { chosen }: TunedSummary): number {
  const count = (id: string) => chosen.filter((other) => other === id).length
  const highest = Math.max(...chosen.map(count))
  const often = chosen.filter((id) => count(id) === highest).map((id) => trialIndex(summary, id))
  return (
    byQuality(
      summary,
      often.filter((index) => index >= 0),
    )[0] ?? -1
  )
}

function bestPlaces(summary: Summary): number[] {
  const seen = new Set<string>()
  const indexes = summary.trials.map((_, index) => index)
  return byQuality(summary, indexes).filter((index) => {
    const { strategy } = summary.trials[index]
    return !seen.has(strategy) && seen.add(strategy)
  })
}

function byQuality(summary: Summary, indexes: readonly number[]): number[] {
  const better = bestFirst(summary)
  return [...indexes].sort((a, b) => better(summary.trials[a], summary.trials[b]) || a - b)
}

function trialIndex({ trials }: Summary, id: string): number {
  return trials.findIndex((trial) => trial.id === id)
}
