import type { TrialLatency } from '../results/latency.ts'
import type { ComparedRow, Summary, TrialSummary } from '../results/summary.ts'
import { formatted, type NumberFormat } from './numbers.ts'

/** Row of the leaderboard: a trial, its answers by one answerer, or a tuned strategy. */
export interface BoardRow
  extends Pick<TrialSummary, 'name' | 'strategy' | 'varied' | 'measures' | 'perQuery'> {
  readonly kind: 'trial' | 'tuned' | 'answer'
  /** Id of a trial, or `tuned:<strategy>`. */
  readonly id: string
  /** Index of the trial, or of the trial that most folds chose; -1 over several datasets. */
  readonly trial: number
  /** Params that vary in the strategy, with defaults; empty for a tuned row. */
  readonly params: TrialSummary['params']
  /** Estimates of the primary measure by category, or of all measures by dataset. */
  readonly groups: TrialSummary['categories']
  /** Mean tokens sent per query. */
  readonly tokens: number | null
  /** Dollars per 1,000 queries; null without a price. */
  readonly dollars: number | null
  /** Seeds that the row is the mean over; null for one. */
  readonly seeds: number | null
  readonly failed: number | null
  /** A tuned row has times of the trial that most folds chose. */
  readonly latency: TrialLatency | null
  readonly compared: ComparedRow | null
  readonly baseline: boolean
  /** Reason for having no comparison with the baseline; '' otherwise. */
  readonly untested: string
  /** Score of the best trial on the queries that selected it, minus this row's; null for a trial. */
  readonly optimism: number | null
  /** Labelled share of the first results; null if not computed. */
  readonly judged: number | null
  /** Stages that can lose gold, in order. */
  readonly stages: readonly string[]
  readonly failures: TrialSummary['failures']
}

/** A summary as tables, findings and downloads read it: JSON with numbers, never formatted texts. */
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
  /** Measures that are counts, not shares. */
  readonly counts: readonly string[]
  /** True over several datasets: means are macro means. */
  readonly isMacro: boolean
  readonly isTuned: boolean
  /** In the config's order. */
  readonly strategies: readonly string[]
  /** Rows without a macro mean, with the dataset that lacks them. */
  readonly missing: readonly string[]
  /** Number of first results that `judged` is of; null if not computed. */
  readonly judgedAt: number | null
  /** Tuned rows if there are any, otherwise trials; best first. */
  readonly ranked: readonly BoardRow[]
  /** Trials from which tuning selected, best first; empty without tuning. */
  readonly seen: readonly BoardRow[]
  /** Rows of answers, best first by their primary measure. */
  readonly answered: readonly BoardRow[]
  /** The first compares the answers. */
  readonly answerMeasures: readonly string[]
}

export interface Interval {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  readonly n?: number
}

export interface BoardColumn<R = BoardRow> {
  /** Name in files. */
  readonly name: string
  /** Default: the name. */
  readonly head?: string
  readonly title: string
  readonly format: NumberFormat
  readonly value: (row: R) => number | Interval | string | null
  /** Text of a cell without a value; default ''. */
  readonly none?: string
  readonly remark?: (row: R) => string
  /** True for a default column of the page, which the terminal shows while it fits. */
  readonly isFirst?: boolean
  /** True for a column of Markdown and LaTeX; in the terminal it comes second. */
  readonly isPaper?: boolean
  /** True for one of several datasets. */
  readonly isDataset?: boolean
  /** True for a column of the trade-offs. */
  readonly isCost?: boolean
}

export interface Board extends BoardData {
  /** Columns with any value; the first is the primary measure. */
  readonly columns: readonly BoardColumn[]
}

/** JSON of a board with seven digits, which keep its order. */
export function boardJson({ columns: _, ...data }: Board): unknown {
  const short = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(7)) : value
  return JSON.parse(JSON.stringify(data, short))
}

type Cells<R> = Pick<BoardColumn<R>, 'value' | 'format' | 'none'>

/** Number of a cell; null for none or a text. */
export function numberAt<R>({ value }: Pick<BoardColumn<R>, 'value'>, row: R): number | null {
  const cell = value(row)
  const number = typeof cell === 'object' && cell !== null ? cell.value : cell
  return typeof number === 'number' ? number : null
}

export function endsAt<R>(
  { value }: Pick<BoardColumn<R>, 'value'>,
  row: R,
): readonly [low: number, high: number] | null {
  const cell = value(row)
  if (typeof cell !== 'object' || cell === null || cell.low === null || cell.high === null) return null
  return [cell.low, cell.high]
}

export function cellText<R>(column: Cells<R>, row: R, digits?: number): string {
  const cell = column.value(row)
  if (typeof cell === 'string') return cell
  const number = numberAt(column, row)
  return number === null ? (column.none ?? '') : formatted(number, column.format, digits)
}

export function bracketOf<R>(column: Cells<R>, row: R): string {
  const ends = endsAt(column, row)
  return ends ? `[${ends.map((end) => formatted(end, column.format)).join(', ')}]` : ''
}

/** Heads and cells for a CSV file; an interval becomes several cells. */
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

/** Lowest and highest end of the intervals of a column. */
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

/** Ranked rows, each trial followed by its answers; then other answers. */
export function allRows({ ranked, answered }: BoardData): BoardRow[] {
  const rows = ranked.flatMap((row) => [
    row,
    ...(row.kind === 'trial' ? answered.filter(({ trial }) => trial === row.trial) : []),
  ])
  return [...rows, ...answered.filter((row) => !rows.includes(row))]
}

export function trialsOf({ ranked, seen }: BoardData): BoardRow[] {
  const trials: BoardRow[] = []
  for (const row of seen.length > 0 ? seen : ranked) trials[row.trial] = row
  return trials
}
