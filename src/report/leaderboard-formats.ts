import type { Latency } from '../results/latency.ts'
import type { ComparedRow } from '../results/summary.ts'
import { raised } from '../statistics/letters.ts'
import { isIn, type NumberColumn, numberColumns, toBaseline } from './board.ts'
import { confidence, type LeaderboardRow, leaderboardOf, type Result } from './leaderboard-rows.ts'
import { measured } from './measured.ts'
import { comparisonNote, datasetsInWords, lettersNote, macroNote, SEEN, tuningNote } from './notes.ts'
import { interval, quantity } from './numbers.ts'
import { verdictWord } from './outcome.ts'
import { raceInWords } from './raced.ts'
import { type Column, csvOf, latexTable, markdownTable, type Table } from './table.ts'

/** `leaderboard --json`: means are fractions, 0 to 1; trials best first by the primary measure. */
export function leaderboardJson(summary: Result, latency: Latency | null) {
  const { ranked, seen } = leaderboardOf(summary, latency)
  if ('rows' in summary) {
    const rows = new Map(summary.rows.map((row) => [row.id, row]))
    return { ...summary, rows: ranked.map(({ id }) => rows.get(id)!) }
  }
  const trials = new Map(summary.trials.map((trial) => [trial.id, trial]))
  return {
    experiment: summary.experiment,
    primary: summary.primary,
    tuning: summary.tuning,
    comparison: summary.comparison,
    ...(summary.race && { race: summary.race }),
    tuned: ranked
      .filter(({ kind }) => kind === 'tuned')
      .map(({ strategy }) => summary.tuned.find((row) => row.strategy === strategy)),
    trials: (seen.length > 0 ? seen : ranked).map(({ id, latency: times }) => {
      const { name, strategy, params, filter, before, after, measures, perQuery, failed, stopped } =
        trials.get(id)!
      return {
        id,
        name,
        strategy,
        params,
        ...(filter !== undefined && { filter }),
        before,
        after,
        measures,
        perQuery,
        failed,
        ...(stopped && { stopped }),
        ...(times ? { latency: times } : {}),
      }
    }),
  }
}

/** One CSV line of a row: the row itself, or its part of one of several datasets. */
interface Line extends Pick<LeaderboardRow, 'measures' | 'baseline'> {
  readonly row: LeaderboardRow
  readonly dataset: string | null
  readonly compared:
    | (Partial<Pick<ComparedRow, 'low' | 'high' | 'p' | 'adjusted'>> & {
        readonly difference: number | null
        readonly verdict: string | null
      })
    | null
}

/** One line a tuned strategy and trial, full precision; of several datasets one a dataset, and the macro mean without. */
export function leaderboardCsv(result: Result, latency: Latency | null): string {
  const board = leaderboardOf(result, latency)
  const rows = [...board.ranked, ...board.seen]
  const several = board.one === null
  const datasets = several ? board.datasets : []
  const lines = rows.flatMap((row): Line[] => [
    ...datasets.map(({ name: dataset }, index): Line => {
      const own = row.compared?.datasets[index]
      return {
        ...{ row, dataset, measures: row.datasets[index] ?? {}, baseline: false },
        compared: own ? { difference: own.n > 0 ? own.difference : null, verdict: own.verdict } : null,
      }
    }),
    {
      ...{ ...row, row, dataset: null },
      compared: row.compared && { ...row.compared, verdict: verdictWord(row.compared) },
    },
  ])
  const counted = several ? [] : countedColumns(numberColumns(board), rows)
  const columns: readonly Column<Line>[] = [
    { head: 'kind', value: ({ row }) => row.kind },
    { head: 'id', value: ({ row }) => row.id },
    { head: 'name', value: ({ row }) => row.name },
    { head: 'strategy', value: ({ row }) => row.strategy },
    ...(several ? [{ head: 'dataset', value: ({ dataset }: Line) => dataset }] : []),
    ...board.measures.flatMap((measure) =>
      (['mean', 'low', 'high', 'n'] as const).map((part) => ({
        head: part === 'mean' ? measure : `${measure} ${part}`,
        value: ({ measures }: Line) => measures[measure]?.[part],
      })),
    ),
    ...counted.map(({ head, value }) => ({ head, value: ({ row }: Line) => value(row) })),
    { head: 'difference', value: ({ compared }) => compared?.difference },
    { head: 'difference low', value: ({ compared }) => compared?.low },
    { head: 'difference high', value: ({ compared }) => compared?.high },
    { head: 'p', value: ({ compared }) => compared?.p },
    { head: 'adjusted p', value: ({ compared }) => compared?.adjusted },
    { head: 'verdict', value: ({ baseline, compared }) => (baseline ? 'baseline' : compared?.verdict) },
    ...(several ? [] : [{ head: 'optimism', value: ({ row }: Line) => row.optimism }]),
  ]
  return csvOf(columns, lines)
}

/** Columns that exist for one dataset only. */
function countedColumns(
  { tokens, modelCalls, fallbacks, failed, stopped, times }: ReturnType<typeof numberColumns>,
  rows: readonly LeaderboardRow[],
): NumberColumn[] {
  return [
    ...[tokens].filter(isIn(rows)),
    modelCalls,
    fallbacks,
    failed,
    ...[stopped].filter(isIn(rows)),
    ...times,
  ]
}

/** The primary measure with its interval, of several datasets on each before, else every other measure and tokens. */
function textTable(result: Result, latency: Latency | null): Table<LeaderboardRow> {
  const board = leaderboardOf(result, latency)
  const { ranked, seen, primary, measures, experiment, one } = board
  const shown = (means: LeaderboardRow['measures'] | null) =>
    measured(board, primary, means?.[primary]?.mean, 2)
  const numbers = numberColumns(board, 2)
  const columns: readonly Column<LeaderboardRow>[] = [
    {
      head: !one && ranked[0]?.kind === 'tuned' ? 'strategy' : 'trial',
      text: ({ name, lettered }) => (lettered?.letter ? `${name} (${lettered.letter})` : name),
    },
    ...numbers.datasets,
    {
      head: one ? primary : 'macro mean',
      text: ({ measures, lettered }) => {
        const { low, high } = measures[primary] ?? { low: null, high: null }
        return `${shown(measures)}${raised(lettered?.beats ?? '')} ${interval(low, high)}`.trim()
      },
    },
    ...(one
      ? [
          ...measures.filter((measure) => measure !== primary).map(numbers.measure),
          ...[numbers.stopped, numbers.tokens].filter(isIn([...ranked, ...seen])),
        ]
      : []),
    { head: 'to baseline', text: toBaseline },
  ]
  const parts =
    seen.length > 0
      ? [
          { title: 'Strategies, tuned', rows: ranked },
          { title: SEEN, rows: seen },
        ]
      : [{ title: '', rows: ranked }]
  const caption = one
    ? `${experiment}: percent, mean over ${quantity(ranked[0]?.measures[primary]?.n ?? 0)} queries, ${confidence(board.level)}intervals in brackets. ${lettersNote(board)} ${tuningNote(board)} ${raceInWords(one)}`
    : `${experiment}: ${primary} in percent. Datasets: ${datasetsInWords(board)}. ${macroNote(board)} ${tuningNote(board)} ${comparisonNote(board)} ${lettersNote(board)}`
  return { columns, parts, caption: caption.replace(/ {2,}/g, ' ').trim() }
}

export function leaderboardMarkdown(result: Result, latency: Latency | null): string {
  return markdownTable(textTable(result, latency))
}

export function leaderboardLatex(result: Result, latency: Latency | null): string {
  return latexTable(textTable(result, latency))
}
