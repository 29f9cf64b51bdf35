import type { Latency } from '../results/latency.ts'
import { type BriefNamed, briefName } from '../results/row-names.ts'
import type { ComparedRow, Finding, Summary } from '../results/summary.ts'
import { type Board, type BoardColumn, type BoardRow, bracketOf, cellText } from './board.ts'
import { isWarning } from './findings/index.ts'
import { sampleTitle } from './findings/origin.ts'
import { boardOf } from './make-board.ts'
import {
  comparedName,
  confidence,
  datasetsInWords,
  differencesTo,
  latencyNotes,
  MARKS_NOTE,
  macroNote,
  SEEN,
  searchOnlyNote,
  sentWords,
  tokensName,
} from './notes.ts'
import { plural, points, quantity } from './numbers.ts'
import { limitsInWords, markLegend, rankOf, VERDICT_MARKS, verdictMark, verdictWord } from './outcome.ts'
import { foremost, verdictSentence } from './sections/verdict.tsx'
import { inBlocks, NAME_COLUMN, textColumn, whatFits } from './table.ts'
import { type Paint, PLAIN, printableText, type TextColumn, widest, wrap, wrapItem } from './terminal.ts'

/** Printed rows of a long table. */
const SHOWN = 30

interface TextOptions {
  readonly columns?: number
  readonly paint?: Paint
}

/**
 * Result for a terminal: the primary measure with interval and difference, tokens, other columns while they fit, and
 * every finding. Over several datasets: the primary measure on each, then the differences.
 */
export function leaderboardText(
  summary: Summary,
  latency: Latency | null,
  { columns = 80, paint = PLAIN }: TextOptions = {},
): string {
  const board = boardOf(summary, latency)
  const { ranked, seen, primary, experiment, datasets, isMacro } = board
  const size = isMacro
    ? `${datasets.length} datasets`
    : `${quantity(datasets[0].judged)} judged queries, ${plural(summary.trials.length, 'trial')}`
  const shown = { columns, paint }
  const title = printableText(`${sampleTitle(board)}${experiment}: ${primary} in percent, ${size}`)
  const lines = [title, '', ...table(ranked, board, shown)]
  if (seen.length > 0) lines.push('', `${SEEN}:`, '', ...table(seen, board, shown))
  if (isMacro) lines.push(...differencesTable(board, columns))
  const definitions = [
    ...(isMacro ? [`Datasets: ${datasetsInWords(board)}.`, macroNote(board)] : bracketsNote(board)),
    ...(latency ? latencyNotes(latency) : []),
  ]
  lines.push('', ...wrapped(definitions.filter(Boolean).join(' '), columns))
  const warnings = summary.findings.filter(isWarning)
  const notes = summary.findings.filter((finding) => !isWarning(finding))
  if (warnings.length > 0)
    lines.push('', 'Warnings:', ...warnings.flatMap((item) => itemLines(item, columns)))
  if (notes.length > 0) lines.push('', 'Notes:', ...notes.flatMap((item) => itemLines(item, columns)))
  return `${lines.join('\n')}\n`
}

function itemLines({ about, text }: Finding, columns: number): string[] {
  return wrapItem(`- ${printableText(`${about}: ${text}`)}`, columns)
}

const WARNINGS = 2
const FOREMOST = 6

/**
 * End of a run: the verdict, the report's path, the foremost rows and warnings. `experiment` is its folder, quoted
 * for a shell.
 */
export function resultText(
  summary: Summary,
  latency: Latency | null,
  {
    columns = 80,
    paint = PLAIN,
    report,
    experiment,
  }: TextOptions & { readonly report: string; readonly experiment: string },
): string {
  const board = boardOf(summary, latency)
  const rows = foremost(board.ranked, FOREMOST)
  const searchOnly = rows.filter(({ latency }) => latency?.searchOnly).map(({ name }) => name)
  const lines = [
    ...wrapped(verdictSentence(board), columns).map(paint.strong),
    report,
    '',
    ...table(rows, board, { columns, paint }, true),
    ...wrapped(searchOnlyNote(searchOnly).join(''), columns),
  ]
  const warnings = summary.findings.filter(isWarning).slice(0, WARNINGS)
  if (warnings.length > 0) lines.push('')
  lines.push(...warnings.flatMap((item) => itemLines(item, columns)))
  lines.push(`All rows and notes: touchstone leaderboard ${printableText(experiment)}`)
  if (board.answered.length > 0) lines.push('Measures of the answers: the leaderboard of the report')
  return `${lines.join('\n')}\n`
}

function wrapped(text: string, columns: number): string[] {
  return wrap(printableText(text), columns)
}

function bracketsNote({ primary, columns, level, context, ...board }: Board): string[] {
  const rows = [...board.ranked, ...board.seen]
  const tokens = tokensName({ context })
  return [
    rows.some(({ measures }) => measures[primary]?.low !== null)
      ? `Brackets: ${confidence(level)}interval.`
      : '',
    columns.some(({ name, isCost }) => isCost && name === tokens)
      ? `${tokens}: tokens per query in ${sentWords({ context })}.`
      : '',
  ]
}

function table(
  rows: readonly BoardRow[],
  board: Board,
  { columns: width, paint }: Required<TextOptions>,
  isBrief = false,
): string[] {
  const { primary, isMacro } = board
  const shown = rows.slice(0, SHOWN)
  const areBrief = hasLongNames(rows, isMacro ? NAME_COLUMN : Math.max(NAME_COLUMN, width - 56))
  const means = shown.map(({ measures }) => measures[primary]?.mean)
  const names = [
    textColumn({ head: '#', text: (_, index) => `${rankOf(index, means)}` }, shown),
    textColumn<BoardRow>(
      {
        head: rows[0]?.kind === 'tuned' ? 'strategy' : 'trial',
        left: true,
        text: (row) => (areBrief ? briefName(row) : row.name),
      },
      shown,
    ),
  ]
  const quality = [
    numberColumn(board.columns[0], shown),
    textColumn<BoardRow>({ head: '', left: true, text: (row) => bracketOf(board.columns[0], row) }, shown),
  ]
  const isShown = ({ value }: BoardColumn) => rows.some((row) => value(row) !== null)
  const others = board.columns.slice(1).filter(isShown)
  const textOf = (column: BoardColumn) =>
    column.name === 'difference' ? differenceColumn(column, shown, paint) : numberColumn(column, shown)
  const priority = ({ name, isFirst, isCost }: BoardColumn) =>
    isFirst ? Number(name !== 'difference' && !isCost) : 2
  const optional = others
    .filter(({ isFirst, isPaper, isDataset }) => !isDataset && (isFirst || (isPaper && !isBrief)))
    .sort((a, b) => priority(a) - priority(b))
  const { lines, omitted } = isMacro
    ? {
        lines: inBlocks(width, {
          names,
          datasets: others.filter((column) => column.isDataset).map((column) => numberColumn(column, shown)),
          last: quality,
        }),
        omitted: optional.filter(({ name }) => name !== 'difference').map(({ head, name }) => head ?? name),
      }
    : whatFits(width, names, quality, optional.map(textOf))
  return [
    ...lines,
    ...(rows.length > SHOWN
      ? [`… and ${quantity(rows.length - SHOWN)} more; \`touchstone leaderboard --format csv\` lists all`]
      : []),
    ...(isBrief || rows === board.seen || omitted.length === 0
      ? []
      : wrap(
          `Not shown: ${omitted.join(', ')}; \`touchstone leaderboard --format csv\` has all columns`,
          width,
        )),
    ...(areBrief ? ['', ...wrap(`Params: ${paramsInBrief(rows).join('; ')}.`, width)] : []),
  ]
}

function numberColumn(column: BoardColumn, rows: readonly BoardRow[]): TextColumn {
  const { head, name } = column
  return textColumn<BoardRow>({ head: head ?? name, text: (row) => cellText(column, row, 2) }, rows)
}

function differenceColumn({ head = '' }: BoardColumn, rows: readonly BoardRow[], paint: Paint): TextColumn {
  const text = ({ baseline, compared }: BoardRow) => {
    if (baseline) return 'baseline'
    return compared ? `${points(compared.difference).padStart(5)} ${verdictWord(compared)}` : ''
  }
  return {
    ...textColumn({ head, left: true, text }, rows),
    paint: (cell, line) => painted(cell, rows[line - 1]?.compared, paint),
  }
}

function hasLongNames(rows: readonly BoardRow[], max: number): boolean {
  return widest(rows.map(({ name }) => name)) > max && rows.some((row) => briefName(row) !== row.name)
}

function painted(cell: string, compared: ComparedRow | null | undefined, paint: Paint): string {
  const verdict = compared && verdictWord(compared)
  if (verdict === 'better') return paint.better(cell)
  return verdict === 'worse' ? paint.worse(cell) : cell
}

function differencesTable(board: Board, width: number): string[] {
  const { comparison, datasets, ranked } = board
  if (!comparison) return []
  const rows = [...comparison.rows].sort((a, b) => b.difference - a.difference).slice(0, SHOWN)
  const brief = hasLongNames(ranked, NAME_COLUMN)
  const nameOf = comparedName(
    board,
    new Map(ranked.map((row) => [row.id, brief ? briefName(row) : row.name])),
  )
  const column = (head: string, text: (row: ComparedRow) => string, left = false) =>
    textColumn<ComparedRow>({ head, left, text }, rows)
  const columns = {
    names: [column(ranked[0]?.kind === 'tuned' ? 'strategy' : 'trial', nameOf, true)],
    datasets: datasets.map(({ name }, index) =>
      column(name, ({ datasets: differences }) => {
        const { n, difference, verdict } = differences[index]
        return n === 0 ? '' : `${points(difference)} ${verdict ? VERDICT_MARKS[verdict] : ' '}`
      }),
    ),
    last: [
      column('macro mean', (row) => `${points(row.difference)} ${verdictMark(row)}`),
      column('', (row) => limitsInWords(row), true),
    ],
  }
  const title = `Paired differences from ${differencesTo(board)}, in points`
  const legend = wrap(`${markLegend(comparison.rows)}. ${MARKS_NOTE}`, width)
  return ['', title, '', ...inBlocks(width, columns), '', ...legend]
}

/** `hybrid alpha fusion`: params that brief names give by value. */
function paramsInBrief(rows: readonly BriefNamed[]): string[] {
  const lines = rows
    .filter(({ varied }) => Object.keys(varied).length > 0)
    .map(({ strategy, varied }) => printableText([strategy, ...Object.keys(varied)].join(' ')))
  return [...new Set(lines)]
}
