import { type BriefNamed, briefName } from '../results/brief-name.ts'
import type { Latency } from '../results/latency.ts'
import type { ComparedRow, Finding, Summary } from '../results/summary.ts'
import { isWarning } from './findings/index.ts'
import { sampleTitle } from './findings/origin.ts'
import { latencyNotes } from './latency-notes.ts'
import { isIn, type NumberColumn, numberColumns } from './leaderboard-columns.ts'
import {
  confidence,
  type Leaderboard,
  type LeaderboardRow,
  leaderboardOf,
  queriesOf,
  sentWords,
  tokensName,
} from './leaderboard-rows.ts'
import { markdownTable } from './markdown.ts'
import { measured } from './measured.ts'
import {
  comparedName,
  datasetsInWords,
  differencesTo,
  MARKS_NOTE,
  macroNote,
  OPTIMISM,
  SEEN,
} from './notes.ts'
import { interval, plural, points, probability, quantity } from './numbers.ts'
import { limitsInWords, markLegend, rankOf, VERDICT_MARKS, verdictMark, verdictWord } from './outcome.ts'
import {
  type Column,
  csvOf,
  inBlocks,
  latexTable,
  NAME_COLUMN,
  type Table,
  textColumn,
  whatFits,
} from './table.ts'
import { type Paint, PLAIN, printableText, widest, wrap, wrapItem } from './terminal.ts'
import { foremost, verdictSentence } from './views/verdict.tsx'

/** Rows of a long table that are printed; `--format csv` has all. */
const SHOWN = 30

interface TextOptions {
  /** Width of the terminal; tables fit 80. */
  readonly columns?: number
  readonly paint?: Paint
}

/**
 * Everything a terminal shows of a result: rank, trial, the primary measure with its interval, the difference to the
 * baseline with its verdict, tokens; then p50 and other measures while they fit, and every finding. Over several
 * datasets: the primary measure on each and its macro mean, then the differences in the same columns.
 */
export function leaderboardText(
  summary: Summary,
  latency: Latency | null,
  { columns = 80, paint = PLAIN }: TextOptions = {},
): string {
  const board = leaderboardOf(summary, latency)
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
    ...(isMacro ? [`Datasets: ${datasetsInWords(board)}.`, macroNote(board)] : bracketsNote(board, summary)),
    seen.length > 0 ? OPTIMISM : '',
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

/** A finding as an item of a list. */
function itemLines({ about, text }: Finding, columns: number): string[] {
  return wrapItem(`- ${printableText(`${about}: ${text}`)}`, columns)
}

/** Warnings at the end of a run; `leaderboard` lists all findings. */
const WARNINGS = 2
/** Rows at the end of a run. */
const FOREMOST = 6

/**
 * A result at the end of a run: the verdict, the report's path, the foremost rows, and the two warnings that threaten the
 * verdict most. `experiment` is its folder, quoted for a shell.
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
  const board = leaderboardOf(summary, latency)
  const rows = foremost(board.ranked, FOREMOST)
  const lines = [
    ...wrapped(verdictSentence(board), columns).map(paint.strong),
    report,
    '',
    ...table(rows, board, { columns, paint }, true),
  ]
  const warnings = summary.findings.filter(isWarning).slice(0, WARNINGS)
  if (warnings.length > 0) lines.push('')
  lines.push(...warnings.flatMap((item) => itemLines(item, columns)))
  lines.push(`All rows and notes: touchstone leaderboard ${printableText(experiment)}`)
  if (summary.answers) lines.push('Measures of the answers: section Answers of the report')
  return `${lines.join('\n')}\n`
}

/** Lines of a text that is safe to print. */
function wrapped(text: string, columns: number): string[] {
  return wrap(printableText(text), columns)
}

function bracketsNote(board: Leaderboard, summary: Summary): string[] {
  const rows = [...board.ranked, ...board.seen]
  return [
    rows.some(({ measures }) => measures[summary.primary]?.low !== null)
      ? `Brackets: ${confidence(board.level)}interval.`
      : '',
    rows.some(numberColumns(board).tokens.text)
      ? `${tokensName(summary)}: tokens per query in ${sentWords(summary)}.`
      : '',
  ]
}

function table(
  rows: readonly LeaderboardRow[],
  board: Leaderboard,
  { columns: width, paint }: Required<TextOptions>,
  isBrief = false,
): string[] {
  const { primary, measures, isMacro, datasets: all } = board
  const shown = rows.slice(0, SHOWN)
  const column = (head: string, text: (row: LeaderboardRow, index: number) => string, left = false) =>
    textColumn({ head, left, text }, shown)
  const numbers = numberColumns(board, 2)
  const broken = ({ failed }: LeaderboardRow) => failed === queriesOf(all)
  const brief = hasLongNames(rows, isMacro ? NAME_COLUMN : Math.max(NAME_COLUMN, width - 56))
  const means = shown.map(({ measures }) => measures[primary]?.mean)
  const rank = column('#', (_, index) => `${rankOf(index, means)}`)
  const name = column(
    rows[0]?.kind === 'tuned' ? 'strategy' : 'trial',
    (row) => (brief ? briefName(row) : row.name),
    true,
  )
  const mean = numbers.measure(primary)
  const quality = [
    column(isMacro ? 'macro mean' : primary, mean.text),
    column(
      '',
      (row) => interval(row.measures[primary]?.low ?? null, row.measures[primary]?.high ?? null),
      true,
    ),
  ]
  const datasets = numbers.datasets.map((dataset) => textColumn(dataset, shown))
  const compared = rows.some((row) => row.compared || broken(row))
    ? [
        {
          ...column('to baseline', (row) => (broken(row) ? 'failed' : difference(row)), true),
          paint: (cell: string, line: number) => painted(cell, shown[line - 1]?.compared, paint),
        },
      ]
    : []
  const others = measures.filter((measure) => measure !== primary)
  const { seeds, optimism, tokens, dollars, engine } = numbers
  const [p50] = numbers.times
  const texts = (columns: readonly NumberColumn[]) => columns.map((column) => textColumn(column, shown))
  const costs = isBrief
    ? [
        ...others
          .filter((measure) => measure.startsWith('mrr'))
          .slice(0, 1)
          .map(numbers.measure),
        p50,
        rows.some(({ dollars }) => dollars !== null) ? dollars : tokens,
      ]
    : [seeds, optimism, tokens, p50, engine]
  const optional = isMacro
    ? []
    : isBrief
      ? [...texts(costs.filter(isIn(rows))), ...compared]
      : [...compared, ...texts([...costs.filter(isIn(rows)), ...others.map(numbers.measure)])]
  return [
    ...(isMacro
      ? inBlocks(width, { names: [rank, name], datasets, last: quality })
      : whatFits(width, [rank, name], quality, optional)),
    ...(rows.length > SHOWN
      ? [`… and ${quantity(rows.length - SHOWN)} more; \`touchstone leaderboard --format csv\` lists all`]
      : []),
    ...(brief ? ['', ...wrap(`Params: ${paramsInBrief(rows).join('; ')}.`, width)] : []),
  ]
}

/** True if names are too long: params are then shown by value, and their names below the table. */
function hasLongNames(rows: readonly LeaderboardRow[], max: number): boolean {
  return widest(rows.map(({ name }) => name)) > max && rows.some((row) => briefName(row) !== row.name)
}

/** A cell in the colour of its verdict. */
function painted(cell: string, compared: ComparedRow | null | undefined, paint: Paint): string {
  const verdict = compared && verdictWord(compared)
  if (verdict === 'better') return paint.better(cell)
  return verdict === 'worse' ? paint.worse(cell) : cell
}

function difference({ compared, baseline }: LeaderboardRow): string {
  if (baseline) return 'baseline'
  return compared ? `${points(compared.difference).padStart(5)} ${verdictWord(compared)}` : ''
}

/** Differences on each dataset and of the macro means, with the marks of their verdicts. */
function differencesTable(board: Leaderboard, width: number): string[] {
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

/** `hybrid alpha fusion`: the params that brief names give by value, in order. */
function paramsInBrief(rows: readonly BriefNamed[]): string[] {
  const lines = rows
    .filter(({ varied }) => Object.keys(varied).length > 0)
    .map(({ strategy, varied }) => printableText([strategy, ...Object.keys(varied)].join(' ')))
  return [...new Set(lines)]
}

/** '+7.1 (better)', as papers print it. */
export function toBaseline({ baseline, compared, untested }: LeaderboardRow): string {
  if (baseline) return 'baseline'
  return compared ? `${points(compared.difference)} (${verdictWord(compared)})` : untested
}

/** `leaderboard --json`: means are fractions, 0 to 1; trials best first by the primary measure. */
export function leaderboardJson(summary: Summary, latency: Latency | null) {
  const { ranked, seen } = leaderboardOf(summary, latency)
  const { experiment, datasets, primary, tuning, comparison } = summary
  const trials = new Map(summary.trials.map((trial) => [trial.id, trial]))
  return {
    experiment,
    datasets,
    primary,
    tuning,
    comparison,
    findings: summary.findings,
    tuned: ranked
      .filter(({ kind }) => kind === 'tuned')
      .map(({ id }) => summary.tuned.find((row) => row.id === id)),
    trials: (summary.tuned.length > 0 ? seen : ranked).map(({ id, latency: times }) => {
      const {
        name,
        strategy,
        params,
        filter,
        engine,
        language,
        before,
        after,
        measures,
        categories,
        perQuery,
        failed,
      } = trials.get(id)!
      return {
        id,
        name,
        strategy,
        params,
        ...(filter !== undefined && { filter }),
        ...(engine !== undefined && { engine }),
        ...(language !== undefined && { language }),
        before,
        after,
        measures,
        categories,
        perQuery,
        failed,
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
export function leaderboardCsv(summary: Summary, latency: Latency | null): string {
  const board = leaderboardOf(summary, latency)
  const rows = [...board.ranked, ...board.seen]
  const { isMacro } = board
  const datasets = isMacro ? board.datasets : []
  const lines = rows.flatMap((row): Line[] => [
    ...datasets.map(({ name: dataset }, index): Line => {
      const own = row.compared?.datasets[index]
      return {
        row,
        dataset,
        measures: row.groups[dataset] ?? {},
        baseline: false,
        compared: own ? { difference: own.n > 0 ? own.difference : null, verdict: own.verdict } : null,
      }
    }),
    {
      ...row,
      row,
      dataset: null,
      compared: row.compared && { ...row.compared, verdict: verdictWord(row.compared) },
    },
  ])
  const counted = isMacro ? [] : countedColumns(numberColumns(board), rows)
  const columns: readonly Column<Line>[] = [
    { head: 'kind', value: ({ row }) => row.kind },
    { head: 'id', value: ({ row }) => row.id },
    { head: 'name', value: ({ row }) => row.name },
    { head: 'strategy', value: ({ row }) => row.strategy },
    ...(isMacro ? [{ head: 'dataset', value: ({ dataset }: Line) => dataset }] : []),
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
    ...(isMacro ? [] : [{ head: 'optimism', value: ({ row }: Line) => row.optimism }]),
  ]
  return csvOf(columns, lines)
}

/** Columns that exist for one dataset only. */
function countedColumns(
  { tokens, seeds, modelCalls, fallbacks, failed, times, engine }: ReturnType<typeof numberColumns>,
  rows: readonly LeaderboardRow[],
): NumberColumn[] {
  return [
    ...[tokens, seeds].filter(isIn(rows)),
    modelCalls,
    fallbacks,
    failed,
    ...times,
    ...[engine].filter(isIn(rows)),
  ]
}

/** The primary measure with its interval, of several datasets on each before, else every other measure and tokens. */
function textTable(summary: Summary, latency: Latency | null): Table<LeaderboardRow> {
  const board = leaderboardOf(summary, latency)
  const { ranked, seen, primary, measures, experiment, isMacro } = board
  const shown = (means: LeaderboardRow['measures'] | null) =>
    measured(board, primary, means?.[primary]?.mean, 2)
  const numbers = numberColumns(board, 2)
  const columns: readonly Column<LeaderboardRow>[] = [
    {
      head: isMacro && ranked[0]?.kind === 'tuned' ? 'strategy' : 'trial',
      left: true,
      text: ({ name }) => name,
    },
    ...numbers.datasets,
    {
      head: isMacro ? 'macro mean' : primary,
      text: ({ measures }) => {
        const { low, high } = measures[primary] ?? { low: null, high: null }
        return `${shown(measures)} ${interval(low, high)}`.trim()
      },
    },
    ...(isMacro
      ? []
      : [
          ...measures.filter((measure) => measure !== primary).map(numbers.measure),
          ...[numbers.tokens].filter(isIn([...ranked, ...seen])),
        ]),
    { head: 'to baseline', text: toBaseline },
  ]
  const parts =
    seen.length > 0
      ? [
          { title: 'Strategies, tuned', rows: ranked },
          { title: SEEN, rows: seen },
        ]
      : [{ title: '', rows: ranked }]
  const about = isMacro
    ? `${experiment}: ${primary} in percent. Datasets: ${datasetsInWords(board)}. ${macroNote(board)}`
    : `${experiment}: percent, mean over ${quantity(ranked[0]?.measures[primary]?.n ?? 0)} queries, ${confidence(board.level)}intervals in brackets.`
  const findings = summary.findings.filter((finding) => IN_CAPTION.has(finding.about)).map(({ text }) => text)
  return { columns, parts, caption: [`${sampleTitle(board)}${about}`, ...findings].join(' ') }
}

/** Findings that belong to a table wherever it is printed. */
const IN_CAPTION = new Set(['Synthetic questions', 'Tests', 'Tuning'])

export function leaderboardMarkdown(summary: Summary, latency: Latency | null): string {
  return markdownTable(textTable(summary, latency))
}

/**
 * Table of a paper: the finalists, or the tuned strategies, with every measure and its interval, the difference from the
 * baseline and its adjusted p.
 */
export function leaderboardLatex(summary: Summary, latency: Latency | null): string {
  const board = leaderboardOf(summary, latency)
  const { ranked, measures, primary } = board
  const { caption } = textTable(summary, latency)
  const numbers = numberColumns(board)
  const finalists = ranked.filter(({ measures }) => measures[primary]?.low !== null)
  const mean = (column: NumberColumn): Column<LeaderboardRow> => ({
    head: column.head,
    text: (row) => {
      const { low = null, high = null } = column.ends?.(row) ?? {}
      return `${column.text(row)}${column.format === 'percent' ? ` ${interval(low, high)}` : ''}`.trim()
    },
  })
  const columns: Column<LeaderboardRow>[] = [
    { head: ranked[0]?.kind === 'tuned' ? 'strategy' : 'trial', left: true, text: ({ name }) => name },
    ...numbers.datasets.map(mean),
    { ...mean(numbers.measure(primary)), head: board.isMacro ? 'macro mean' : primary },
    ...measures.filter((measure) => measure !== primary).map((measure) => mean(numbers.measure(measure))),
    ...[numbers.tokens].filter(isIn(ranked)),
    {
      head: 'difference',
      text: ({ baseline, compared, untested }) =>
        compared
          ? `${points(compared.difference)} ${limitsInWords(compared)}`
          : baseline
            ? 'baseline'
            : untested,
    },
    { head: 'adjusted p', text: ({ compared }) => (compared ? probability(compared.adjusted) : '') },
  ]
  const rows = finalists.length > 0 ? finalists : ranked
  return latexTable({ columns, parts: [{ title: '', rows }], caption })
}
