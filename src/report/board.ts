import type { TrialLatency } from '../results/latency.ts'
import type { ComparedRow, Summary, TrialSummary } from '../results/summary.ts'
import { formatted, type NumberFormat } from './numbers.ts'

/** One row of the leaderboard: a trial, its answers by one answerer, or a strategy tuned on other queries than it is scored on. */
export interface BoardRow
  extends Pick<TrialSummary, 'name' | 'strategy' | 'varied' | 'measures' | 'perQuery'> {
  readonly kind: 'trial' | 'tuned' | 'answer'
  /** As the comparison names it: a trial's id, or `tuned:<strategy>`. */
  readonly id: string
  /** Place in the summary's trials, of a tuned strategy that of the trial that most folds chose; -1 over several datasets. */
  readonly trial: number
  /** Params that vary among the trials of the strategy, with their defaults; empty for a tuned row. */
  readonly params: TrialSummary['params']
  /** Estimates of the primary measure by category, or of every measure by dataset if there are several. */
  readonly groups: TrialSummary['categories']
  /** Mean tokens sent per query; of a tuned row the mean over the trials that its folds chose. */
  readonly tokens: number | null
  /** Dollars per 1,000 queries, as tokens; null without a price. */
  readonly dollars: number | null
  /** Number of seeds that the row is the mean over; null for one. */
  readonly seeds: number | null
  readonly failed: number | null
  /** Times; those of a tuned row are of the trial that most folds chose. */
  readonly latency: TrialLatency | null
  readonly compared: ComparedRow | null
  readonly baseline: boolean
  /** Reason for which there is no comparison with the baseline; '' if there is one, and for the baseline. */
  readonly untested: string
  /** Score of the best trial on the queries that selected it, minus this row's score; null for a trial. */
  readonly optimism: number | null
  /** Share of the first results that have a label; null if it was not computed. */
  readonly judged: number | null
  /** Stages of the trial in order, which can lose gold. */
  readonly stages: readonly string[]
  readonly failures: TrialSummary['failures']
}

/** A summary as every table, view, finding and download reads it. It is JSON: numbers, never formatted texts. */
export interface BoardData
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
    | 'context'
  > {
  /** Measures that are counts, not shares from 0 to 1. */
  readonly counts: readonly string[]
  /** True over several datasets: the means of rows are macro means. */
  readonly isMacro: boolean
  /** True if the rows are strategies that were tuned. */
  readonly isTuned: boolean
  /** Strategies in the config's order. */
  readonly strategies: readonly string[]
  /** Rows without a macro mean, with the dataset that lacks them. */
  readonly missing: readonly string[]
  /** Number of first results of which `judged` is the share; null if it was not computed. */
  readonly judgedAt: number | null
  /** Tuned rows if there are any, otherwise trials; best first by the primary measure. */
  readonly ranked: readonly BoardRow[]
  /** Trials from which tuning selected, best first; empty without tuned rows. */
  readonly seen: readonly BoardRow[]
  /** Rows of finalists and answerers, best first by the primary measure of answers; empty without answers. */
  readonly answered: readonly BoardRow[]
  /** Measures of answers; the first is the one by which answers are compared. */
  readonly answerMeasures: readonly string[]
}

/** A number with its interval, and the number of queries of a mean. */
export interface Interval {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  readonly n?: number
}

/** Column of the leaderboard, as every writer and the page's script read it. */
export interface BoardColumn<R = BoardRow> {
  /** Name in files. */
  readonly name: string
  /** Heading in tables; the name if absent. */
  readonly head?: string
  /** Explanation, on hover. */
  readonly title: string
  readonly format: NumberFormat
  readonly value: (row: R) => number | Interval | string | null
  /** Text of a cell without a value; '' if absent. */
  readonly none?: string
  /** Remark next to the value; '' for none. */
  readonly remark?: (row: R) => string
  /** True for a column of the page before the reader chooses, and of the terminal while it fits. */
  readonly isFirst?: boolean
  /** True for a column of Markdown and LaTeX, and of the terminal after the first ones while it fits. */
  readonly isPaper?: boolean
  /** True for the primary measure on one of several datasets. */
  readonly isDataset?: boolean
  /** True for a cost, which the trade-offs show. */
  readonly isCost?: boolean
}

export interface Board extends BoardData {
  /** Columns with a value in any row; the first is the primary measure. */
  readonly columns: readonly BoardColumn[]
}

/** The JSON of a board; seven digits sort as the exact numbers do in all that is shown. */
export function boardJson({ columns: _, ...data }: Board): unknown {
  const short = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(7)) : value
  return JSON.parse(JSON.stringify(data, short))
}

type Cells<R> = Pick<BoardColumn<R>, 'value' | 'format' | 'none'>

/** Number of a cell; null for none, or a text. */
export function numberAt<R>({ value }: Pick<BoardColumn<R>, 'value'>, row: R): number | null {
  const cell = value(row)
  const number = typeof cell === 'object' && cell !== null ? cell.value : cell
  return typeof number === 'number' ? number : null
}

/** Ends of a cell's interval; null without one. */
export function endsAt<R>(
  { value }: Pick<BoardColumn<R>, 'value'>,
  row: R,
): readonly [low: number, high: number] | null {
  const cell = value(row)
  if (typeof cell !== 'object' || cell === null || cell.low === null || cell.high === null) return null
  return [cell.low, cell.high]
}

/** Text of a cell without its interval. */
export function cellText<R>(column: Cells<R>, row: R, digits?: number): string {
  const cell = column.value(row)
  if (typeof cell === 'string') return cell
  const number = numberAt(column, row)
  return number === null ? (column.none ?? '') : formatted(number, column.format, digits)
}

/** Interval of a cell in brackets; '' for none. */
export function bracketOf<R>(column: Cells<R>, row: R): string {
  const ends = endsAt(column, row)
  return ends ? `[${ends.map((end) => formatted(end, column.format)).join(', ')}]` : ''
}

/** Heads of columns and cells of rows for a file of numbers; an interval takes a cell for each of its parts. */
export function spreadColumns<R>(
  columns: readonly BoardColumn<R>[],
  rows: readonly R[],
): { readonly heads: string[]; readonly cellsOf: (row: R) => (number | string | null)[] } {
  const parts = columns.map((column) => {
    const cells = rows.map((row) => column.value(row))
    const intervals = cells.filter((cell) => typeof cell === 'object' && cell !== null)
    if (intervals.length === 0) return [] as const
    return intervals.some(({ n }) => n !== undefined)
      ? (['low', 'high', 'n'] as const)
      : (['low', 'high'] as const)
  })
  return {
    heads: columns.flatMap(({ name }, at) => [name, ...parts[at].map((part) => `${name} ${part}`)]),
    cellsOf: (row) =>
      columns.flatMap((column, at) => {
        const cell = column.value(row)
        if (typeof cell !== 'object' || cell === null) return [cell, ...parts[at].map(() => null)]
        return [cell.value, ...parts[at].map((part) => cell[part] ?? null)]
      }),
  }
}

/** Lowest and highest end of the intervals of a column, for one scale of all rows. */
export function scaleOf<R>(
  column: Pick<BoardColumn<R>, 'value'>,
  rows: readonly R[],
): readonly [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const row of rows)
    for (const end of endsAt(column, row) ?? [numberAt(column, row)])
      if (end !== null) [low, high] = [Math.min(low, end), Math.max(high, end)]
  return [low, high]
}

/** Ranked rows, each trial followed by its answers; then answers of trials behind tuned rows, and without retrieval. */
export function allRows({ ranked, answered }: BoardData): BoardRow[] {
  const rows = ranked.flatMap((row) => [
    row,
    ...(row.kind === 'trial' ? answered.filter(({ trial }) => trial === row.trial) : []),
  ])
  return [...rows, ...answered.filter((row) => !rows.includes(row))]
}

/** Trials of a board, by their places in the summary. */
export function trialsOf({ ranked, seen }: BoardData): BoardRow[] {
  const trials: BoardRow[] = []
  for (const row of seen.length > 0 ? seen : ranked) trials[row.trial] = row
  return trials
}
