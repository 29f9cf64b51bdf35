import type { Json } from '../types.ts'
import { formatted, type NumberFormat } from './numbers.ts'

/** A number, with its interval if it has one. */
export type Value = number | null | readonly [value: number, low: number, high: number]

export interface BoardColumn {
  readonly head: string
  readonly title: string
  readonly format: NumberFormat
  /** True for a column of the leaderboard before the reader chooses; `cost` for one of the trade-offs. */
  readonly shown: boolean
  readonly cost: boolean
}

/** A row as a table shows it. */
export interface ShownRow {
  readonly id: string
  readonly name: string
  /** Place in the board's strategies. */
  readonly strategy: number
  readonly baseline: boolean
  /** Values by column. */
  readonly values: readonly Value[]
  readonly difference: {
    readonly value: number
    readonly text: string
    readonly verdict: string
    readonly title: string
  } | null
  /** Text in place of a difference. */
  readonly untested: string
  /** True if the times lack those of model calls. */
  readonly searchOnly: boolean
}

export interface BoardRow extends ShownRow {
  /** Place in the summary's trials, of a tuned strategy that of the trial that most folds chose; -1 over several datasets. */
  readonly trial: number
  /** Params that vary among the trials of the strategy. */
  readonly varied: Readonly<Record<string, Json>>
  /** Stages of the trial in order, which can lose gold. */
  readonly stages: readonly string[]
  readonly failures: readonly { readonly query: string; readonly step: string; readonly message: string }[]
}

/** Leaderboard as data: the rows that tables, the trade-offs, params and downloads of a report show. */
export interface Board {
  /** Names with their marks: a hue, and a shape as a path. */
  readonly strategies: readonly { readonly name: string; readonly hue: number; readonly shape: string }[]
  readonly isTuned: boolean
  /** The first is the primary measure. */
  readonly columns: readonly BoardColumn[]
  /** Best first: trials, or strategies that were tuned. */
  readonly ranked: readonly BoardRow[]
  /** Trials from which tuning selected, best first; empty without tuning. */
  readonly seen: readonly BoardRow[]
}

export function numberOf(value: Value | undefined): number | null {
  return typeof value === 'object' && value !== null ? value[0] : (value ?? null)
}

/** Ends of a value's interval; null without one. */
export function endsOf(value: Value | undefined): readonly [low: number, high: number] | null {
  return typeof value === 'object' && value !== null ? [value[1], value[2]] : null
}

/** Text of a cell; '' for none. */
export function cellText({ columns }: Pick<Board, 'columns'>, row: ShownRow, column: number): string {
  const value = numberOf(row.values[column])
  return value === null ? '' : formatted(value, columns[column].format)
}

/** Interval of a cell in brackets; '' for none. */
export function bracketOf({ columns }: Pick<Board, 'columns'>, row: ShownRow, column: number): string {
  const ends = endsOf(row.values[column])
  return ends ? `[${ends.map((end) => formatted(end, columns[column].format)).join(', ')}]` : ''
}

/** Lowest and highest end of the intervals of the primary measure, for one scale of all rows. */
export function scaleOf({
  ranked,
  seen,
}: {
  readonly ranked: readonly ShownRow[]
  readonly seen: readonly ShownRow[]
}): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { values } of [...ranked, ...seen])
    for (const end of endsOf(values[0]) ?? [numberOf(values[0])])
      if (end !== null) [low, high] = [Math.min(low, end), Math.max(high, end)]
  return [low, high]
}

/** Trials of a board, by their places in the summary. */
export function trialsOf({ ranked, seen }: Board): BoardRow[] {
  const trials: BoardRow[] = []
  for (const row of seen.length > 0 ? seen : ranked) trials[row.trial] = row
  return trials
}
