import type { Latency } from '../results/latency.ts'
import type { ComparedRow } from '../results/summary.ts'
import { raised } from '../statistics/letters.ts'
import { type CsvValue, csvTable } from '../text/csv.ts'
import { isIn, type NumberColumn, numberColumns, toBaseline } from './board.ts'
import { confidence, type LeaderboardRow, leaderboardOf, type Result } from './leaderboard-rows.ts'
import { measured } from './measured.ts'
import { comparisonNote, datasetsInWords, lettersNote, macroNote, SEEN, tuningNote } from './notes.ts'
import { interval, quantity } from './numbers.ts'
import { verdictWord } from './outcome.ts'
import { raceInWords } from './raced.ts'
import { latexTable, markdownTable, type TextTable } from './table-formats.ts'

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
  const columns: readonly (readonly [string, (line: Line) => CsvValue])[] = [
    ['kind', ({ row }) => row.kind],
    ['id', ({ row }) => row.id],
    ['name', ({ row }) => row.name],
    ['strategy', ({ row }) => row.strategy],
    ...(several ? [['dataset', ({ dataset }: Line) => dataset] as const] : []),
    ...board.measures.flatMap((measure) =>
      (['mean', 'low', 'high', 'n'] as const).map(
        (part) =>
          [
            part === 'mean' ? measure : `${measure} ${part}`,
            ({ measures }: Line) => measures[measure]?.[part],
          ] as const,
      ),
    ),
    ...counted.map(({ head, value }) => [head, ({ row }: Line) => value(row)] as const),
    ['difference', ({ compared }) => compared?.difference],
    ['difference low', ({ compared }) => compared?.low],
    ['difference high', ({ compared }) => compared?.high],
    ['p', ({ compared }) => compared?.p],
    ['adjusted p', ({ compared }) => compared?.adjusted],
    ['verdict', ({ baseline, compared }) => (baseline ? 'baseline' : compared?.verdict)],
    ...(several ? [] : [['optimism', ({ row }: Line) => row.optimism] as const]),
  ]
  return csvTable(
    columns.map(([head]) => head),
    lines.map((line) => columns.map(([, value]) => value(line))),
  )
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
function textTable(result: Result, latency: Latency | null): TextTable {
  const board = leaderboardOf(result, latency)
  const { ranked, seen, primary, measures, experiment, one } = board
  const shown = (means: LeaderboardRow['measures'] | null) =>
    measured(board, primary, means?.[primary]?.mean, 2)
  const numbers = one && numberColumns(board, 2)
  const others = numbers
    ? [
        ...measures.filter((measure) => measure !== primary).map(numbers.measure),
        ...[numbers.stopped, numbers.tokens].filter(isIn([...ranked, ...seen])),
      ]
    : []
  const cells = (row: LeaderboardRow) => {
    const { low, high } = row.measures[primary] ?? { low: null, high: null }
    const { letter, beats } = row.lettered ?? { letter: '', beats: '' }
    return [
      letter ? `${row.name} (${letter})` : row.name,
      ...row.datasets.map(shown),
      `${shown(row.measures)}${raised(beats)} ${interval(low, high)}`.trim(),
      ...others.map(({ cell }) => cell(row)),
      toBaseline(row),
    ]
  }
  const parts =
    seen.length > 0
      ? [
          { title: 'Strategies, tuned', rows: ranked.map(cells) },
          { title: SEEN, rows: seen.map(cells) },
        ]
      : [{ title: '', rows: ranked.map(cells) }]
  const caption = one
    ? `${experiment}: percent, mean over ${quantity(ranked[0]?.measures[primary]?.n ?? 0)} queries, ${confidence(board.level)}intervals in brackets. ${lettersNote(board)} ${tuningNote(board)} ${raceInWords(one)}`
    : `${experiment}: ${primary} in percent. Datasets: ${datasetsInWords(board)}. ${macroNote(board)} ${tuningNote(board)} ${comparisonNote(board)} ${lettersNote(board)}`
  const head = one
    ? ['trial', primary]
    : [
        ranked[0]?.kind === 'tuned' ? 'strategy' : 'trial',
        ...board.datasets.map(({ name }) => name),
        'macro mean',
      ]
  return {
    head: [...head, ...others.map(({ head }) => head), 'to baseline'],
    parts,
    caption: caption.replace(/ {2,}/g, ' ').trim(),
  }
}

export function leaderboardMarkdown(result: Result, latency: Latency | null): string {
  return markdownTable(textTable(result, latency))
}

export function leaderboardLatex(result: Result, latency: Latency | null): string {
  return latexTable(textTable(result, latency))
}
