import type { Latency, TrialLatency } from '../results/latency.ts'
import type { MacroSummary } from '../results/macro.ts'
import type {
  ComparedRow,
  DatasetSummary,
  Estimate,
  Summary,
  TrialSummary,
  TunedSummary,
} from '../results/summary.ts'
import { type Lettered, significanceLetters } from './letters.ts'
import { signOf } from './measured.ts'
import type { Rival } from './outcome.ts'

/** Result of one dataset, or of several with a macro mean. */
export type Result = Summary | MacroSummary

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
  /** Estimates by category, or by dataset if there are several. */
  readonly groups: TrialSummary['categories']
  /** Estimates on each of several datasets, in their order; null if every query failed there. */
  readonly datasets: readonly (Readonly<Record<string, Estimate>> | null)[]
  /** Mean tokens sent per query; null for a tuned row, which mixes trials. */
  readonly tokens: number | null
  /** Number of seeds that the row is the mean over; null for one. */
  readonly seeds: number | null
  readonly modelCalls: number | null
  readonly fallbacks: number | null
  readonly failed: number | null
  readonly latency: TrialLatency | null
  readonly compared: ComparedRow | null
  readonly baseline: boolean
  /** Reason for which there is no comparison with the baseline; '' if there is one, and for the baseline. */
  readonly untested: string
  /** Letter of the row and letters of the rows it beats; null for untested rows. */
  readonly lettered: Lettered | null
  /** Score of the best trial on the queries that selected it, minus this row's score; null for a trial. */
  readonly optimism: number | null
}

/** A result as it is presented, over one dataset or several: one dataset is a list of one. */
export interface Leaderboard {
  readonly experiment: string
  readonly primary: string
  readonly measures: readonly string[]
  readonly scales: Summary['scales']
  readonly tuning: Summary['tuning']
  readonly comparison: Summary['comparison']
  readonly standIn: Summary['standIn']
  /** Level of the intervals (they cover 1 - level); undefined without intervals. */
  readonly level: number | undefined
  readonly datasets: readonly Pick<
    DatasetSummary,
    'name' | 'judged' | 'queries' | 'sample' | 'synthetic' | 'reviewed'
  >[]
  /** Result of the only dataset; null over several datasets. */
  readonly one: Summary | null
  /** Number of trials, or of rows over several datasets. */
  readonly count: number
  /** Strategies in the config's order. */
  readonly strategies: readonly string[]
  /** Rows without a macro mean, with the dataset that lacks them. */
  readonly missing: readonly string[]
  /** Tuned rows if there are any, otherwise trials; best first by the primary measure. */
  readonly ranked: readonly LeaderboardRow[]
  /** Trials from which tuning selected, best first; empty without tuned rows. */
  readonly seen: readonly LeaderboardRow[]
}

export function leaderboardOf(result: Result, latency: Latency | null = null): Leaderboard {
  const { comparison } = result
  const baseline = comparison?.baseline
  // In the family `pairs` a trial is in many comparisons; its own row shows only the one with the baseline.
  const compared = new Map(
    comparison?.rows.filter((row) => row.baseline === baseline).map((row) => [row.id, row]),
  )
  const tuned = 'tuned' in result && result.tuned.length > 0
  const untested = (row: Row): string => {
    if (!comparison || compared.has(row.id) || row.id === baseline) return ''
    if (!row.measures[result.primary]) return 'not scored'
    if (comparison.untested?.includes(row.name)) return 'fitted router'
    if (tuned && row.kind === 'trial') return 'tuned rows only'
    if (comparison.family === 'best-per-strategy') return `not the best ${row.strategy}`
    return 'not tested'
  }
  const best = (rows: readonly Row[]) => {
    const sorted = [...rows].sort(bestFirst(result))
    const letters = significanceLetters(
      sorted.map(({ id }) => id),
      comparison?.rows ?? [],
    )
    return sorted.map(
      (row): LeaderboardRow => ({
        ...NOTHING,
        ...row,
        compared: compared.get(row.id) ?? null,
        baseline: row.id === baseline,
        untested: untested(row),
        lettered: letters.get(row.id) ?? null,
      }),
    )
  }
  const { experiment, primary, measures, scales, tuning, standIn } = result
  const common = { experiment, primary, measures, scales, tuning, comparison, standIn }
  if ('rows' in result) {
    const { rows, level, datasets } = result
    return {
      ...common,
      level,
      datasets,
      one: null,
      count: rows.length,
      strategies: strategiesOf(rows),
      missing: rows.flatMap(({ name, datasets: estimates }) =>
        estimates.flatMap((found, index) => (found ? [] : [`${name} on ${datasets[index].name}`])),
      ),
      ranked: best(rowsOver(result)),
      seen: [],
    }
  }
  const one = {
    ...common,
    level: comparison?.level,
    datasets: [result.dataset],
    one: result,
    count: result.trials.length,
    strategies: strategiesOf([...result.trials, ...result.tuned]),
    missing: [],
  }
  const times = new Map(latency?.trials.map((row) => [row.id, row]))
  const trials = best(result.trials.map((trial) => rowOfTrial(trial, times.get(trial.id) ?? null)))
  return result.tuned.length > 0
    ? { ...one, ranked: best(result.tuned.map(rowOfTuned)), seen: trials }
    : { ...one, ranked: trials, seen: [] }
}

/** Defaults of optional fields. */
const NOTHING = {
  tokens: null,
  modelCalls: null,
  fallbacks: null,
  failed: null,
  latency: null,
  optimism: null,
  varied: {},
  datasets: [],
  seeds: null,
} as const

type Row = Pick<LeaderboardRow, 'kind' | 'id' | 'name' | 'strategy' | 'measures' | 'groups'> &
  Partial<LeaderboardRow>

function rowOfTrial(trial: TrialSummary, latency: TrialLatency | null): Row {
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
    tokens: tokensOf(trial),
    seeds: trial.seeds ?? null,
    modelCalls: perQuery.modelCalls ?? null,
    fallbacks: perQuery.fallbacks ?? null,
  }
}

function rowOfTuned({ id, strategy, name, measures, categories: groups, optimism }: TunedSummary): Row {
  return { kind: 'tuned', id, name, strategy, measures, groups, optimism }
}

function rowsOver({ kind, rows, datasets: all }: MacroSummary): Row[] {
  return rows.map(({ macro, ...row }) => ({
    ...row,
    kind,
    measures: macro ?? {},
    groups: Object.fromEntries(all.map(({ name }, index) => [name, row.datasets[index] ?? {}])),
  }))
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

type Measured = Pick<TrialSummary, 'measures'>

/** Sorts by the primary measure, best first. */
function bestFirst(summary: Result): (a: Measured, b: Measured) => number {
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
