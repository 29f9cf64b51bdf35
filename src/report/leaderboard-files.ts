import type { Latency } from '../results/latency.ts'
import type { Summary } from '../results/summary.ts'
import { csvTable } from '../text/csv.ts'
import { type Board, type BoardColumn, type BoardRow, bracketOf, cellText, spreadColumns } from './board.ts'
import { sampleTitle } from './findings/origin.ts'
import { boardOf } from './make-board.ts'
import { markdownTable } from './markdown.ts'
import { confidence, datasetsInWords, macroNote, SEEN } from './notes.ts'
import { points, quantity } from './numbers.ts'
import { limitsInWords, verdictWord } from './outcome.ts'
import { type Column, latexTable } from './table.ts'

export function leaderboardJson(summary: Summary, latency: Latency | null) {
  const { ranked, seen, isTuned } = boardOf(summary, latency)
  const { experiment, datasets, primary, tuning, comparison, findings } = summary
  const trials = new Map(summary.trials.map((trial) => [trial.id, trial]))
  const tuned = new Map(summary.tuned.map((row) => [row.id, row]))
  return {
    experiment,
    datasets,
    primary,
    tuning,
    comparison,
    findings,
    tuned: isTuned ? ranked.map(({ id }) => tuned.get(id)) : [],
    trials: (isTuned ? seen : ranked).map((row) => ({
      ...trials.get(row.id),
      ...(row.latency && { latency: row.latency }),
    })),
  }
}

/** A row, or its part of one of several datasets. */
interface Line {
  readonly row: BoardRow
  readonly dataset: string | null
  /** Verdict on the dataset; undefined for the row's own. */
  readonly verdict?: string | null
}

/** CSV of all rows at full precision; over several datasets with a line for each and one for the macro mean. */
export function leaderboardCsv(summary: Summary, latency: Latency | null): string {
  const board = boardOf(summary, latency)
  const rows = [...board.ranked, ...board.seen, ...board.answered]
  const datasets = board.isMacro ? board.datasets : []
  const lines = rows.flatMap((row): Line[] => [
    ...datasets.map(({ name }, at) => datasetLine(row, name, at)),
    { row, dataset: null },
  ])
  const columns = board.columns
    .filter(({ isDataset }) => !isDataset)
    .map(
      (column): BoardColumn<Line> => ({
        ...column,
        value: ({ row, verdict }) =>
          column.name === 'verdict' && verdict !== undefined ? verdict : column.value(row),
        remark: undefined,
      }),
    )
  const { heads, cellsOf } = spreadColumns(columns, lines)
  return csvTable(
    ['kind', 'id', 'name', 'strategy', ...(board.isMacro ? ['dataset'] : []), ...heads],
    lines.map((line) => {
      const { kind, id, name, strategy } = line.row
      return [kind, id, name, strategy, ...(board.isMacro ? [line.dataset] : []), ...cellsOf(line)]
    }),
  )
}

function datasetLine(row: BoardRow, dataset: string, at: number): Line {
  const { difference, n, verdict } = row.compared?.datasets[at] ?? { difference: 0, n: 0, verdict: null }
  return {
    dataset,
    verdict,
    row: {
      ...row,
      measures: row.groups[dataset] ?? {},
      groups: {},
      perQuery: {},
      tokens: null,
      dollars: null,
      seeds: null,
      failed: null,
      optimism: null,
      compared:
        row.compared && n > 0
          ? { ...row.compared, difference, low: null, high: null, p: null, adjusted: null }
          : null,
    },
  }
}

export function leaderboardMarkdown(summary: Summary, latency: Latency | null): string {
  const board = boardOf(summary, latency)
  const { ranked, seen } = board
  const parts =
    seen.length > 0
      ? [
          { title: 'Strategies, tuned', rows: ranked },
          { title: SEEN, rows: seen },
        ]
      : [{ title: '', rows: ranked }]
  const columns = paperColumns(board, (column, row) =>
    column === board.columns[0]
      ? `${cellText(column, row, 2)} ${bracketOf(column, row)}`.trim()
      : cellText(column, row, 2),
  )
  return markdownTable({ columns, parts, caption: caption(board, summary) })
}

/** Finalists or tuned strategies with every measure, interval and difference. */
export function leaderboardLatex(summary: Summary, latency: Latency | null): string {
  const board = boardOf(summary, latency)
  const { ranked, primary } = board
  const finalists = ranked.filter(({ measures }) => measures[primary]?.low !== null)
  const rows = finalists.length > 0 ? finalists : ranked
  const columns = paperColumns(board, (column, row) =>
    `${cellText(column, row)} ${bracketOf(column, row)}`.trim(),
  )
  return latexTable({ columns, parts: [{ title: '', rows }], caption: caption(board, summary) })
}

/** Names, datasets, measures and costs, then differences. */
function paperColumns(
  { columns, isTuned }: Board,
  text: (column: BoardColumn, row: BoardRow) => string,
): Column<BoardRow>[] {
  const placeOf = ({ name, isDataset }: BoardColumn) =>
    isDataset ? 0 : ['difference', 'adjusted p'].includes(name) ? 2 : 1
  const ordered = columns.filter(({ isPaper }) => isPaper).sort((a, b) => placeOf(a) - placeOf(b))
  return [
    { head: isTuned ? 'strategy' : 'trial', left: true, text: ({ name }) => name },
    ...ordered.map(
      (column): Column<BoardRow> => ({
        head: column.head ?? column.name,
        text: (row) => (column.name === 'difference' ? differenceText(row) : text(column, row)),
      }),
    ),
  ]
}

/** '+7.1 [+2.0, +12.1] (better)', or the reason for having no difference. */
function differenceText({ baseline, compared, untested }: BoardRow): string {
  if (baseline) return 'baseline'
  if (!compared) return untested
  const limits = compared.untested ? '' : `${limitsInWords(compared)} `
  return `${points(compared.difference)} ${limits}(${verdictWord(compared)})`
}

const IN_CAPTION = new Set(['Synthetic questions', 'Tests', 'Tuning'])

function caption(board: Board, { findings }: Summary): string {
  const { experiment, primary, ranked, level, isMacro } = board
  const about = isMacro
    ? `${experiment}: ${primary} in percent. Datasets: ${datasetsInWords(board)}. ${macroNote(board)}`
    : `${experiment}: percent, mean over ${quantity(ranked[0]?.measures[primary]?.n ?? 0)} queries, ${confidence(level)}intervals in brackets.`
  const qualified = findings.filter((finding) => IN_CAPTION.has(finding.about)).map(({ text }) => text)
  return [`${sampleTitle(board)}${about}`, ...qualified].join(' ')
}
