import { type BriefNamed, briefName } from '../results/brief-name.ts'
import type { Latency } from '../results/latency.ts'
import type { ComparedRow, Summary } from '../results/summary.ts'
import { FEWEST_QUERIES } from '../statistics/sample.ts'
import { foundNothingLines, indexLines, notedLines } from './data-notes.ts'
import { latencyNotes } from './latency-notes.ts'
import { isIn, type NumberColumn, numberColumns } from './leaderboard-columns.ts'
import {
  confidence,
  type Leaderboard,
  type LeaderboardRow,
  leaderboardOf,
  type Result,
  rivals,
  sentWords,
  tokensName,
} from './leaderboard-rows.ts'
import { raised } from './letters.ts'
import { measured, signOf } from './measured.ts'
import {
  belowTrialsNote,
  comparedName,
  comparisonNote,
  datasetsInWords,
  differencesTo,
  lettersNote,
  macroNote,
  missingNote,
  OPTIMISM,
  SEEN,
  standInNote,
  tuningNote,
} from './notes.ts'
import { interval, plural, points, quantity } from './numbers.ts'
import { sampleNote, sampleTitle, syntheticNote } from './origin.ts'
import {
  limitsInWords,
  lossesOf,
  lossInWords,
  rankOf,
  tiedWith,
  VERDICT_MARKS,
  verdictMark,
  verdictWord,
} from './outcome.ts'
import { sharedGoldNote } from './shared-gold.ts'
import {
  type Column,
  csvOf,
  inBlocks,
  latexTable,
  markdownTable,
  NAME_COLUMN,
  type Table,
  textColumn,
  whatFits,
} from './table.ts'
import { type Paint, PLAIN, printableText, widest, wrap, wrapItem } from './terminal.ts'
import { headlineRows, leadNotes, verdictSentence } from './views/verdict.ts'

/** Rows of a long table that are printed; `--csv` has all. */
const SHOWN = 30

interface TextOptions {
  /** Width of the terminal; tables fit 80. */
  readonly columns?: number
  readonly paint?: Paint
}

/**
 * Everything a terminal shows of a result: rank, trial, the primary measure with its interval, the difference to the
 * baseline with its verdict, tokens; then p50 and other measures while they fit, and every note. Over several
 * datasets: the primary measure on each and its macro mean, then the differences in the same columns.
 */
export function leaderboardText(
  result: Result,
  latency: Latency | null,
  { columns = 80, paint = PLAIN }: TextOptions = {},
): string {
  const board = leaderboardOf(result, latency)
  const { ranked, seen, primary, comparison, experiment, datasets, one, count } = board
  const size = one
    ? `${quantity(datasets[0].judged)} judged queries, ${plural(count, 'trial')}`
    : `${datasets.length} datasets`
  const shown = { columns, paint }
  const title = printableText(`${sampleTitle(board)}${experiment}: ${primary} in percent, ${size}`)
  const lines = [title, '', ...table(ranked, board, shown)]
  if (seen.length > 0) lines.push('', `${SEEN}:`, '', ...table(seen, board, shown))
  if (!one) lines.push(...differencesTable(board, columns))
  const fell = one ? notedLines(one) : []
  if (fell.length > 0) lines.push('', ...fell.flatMap((line) => wrapped(line, columns)))
  lines.push('', ...wrapped([tuningNote(board), seen.length > 0 ? OPTIMISM : ''].join(' '), columns))
  const notes = [
    sampleNote(board),
    syntheticNote(board),
    ...leadNotes(board),
    ...outcome(board),
    sharedGoldNote(board),
    ...(one ? bracketsNote(board, one) : [`Datasets: ${datasetsInWords(board)}.`, macroNote(board)]),
    ...(comparison ? [comparisonNote(board), lettersNote(board)] : []),
    ...(one ? trialNotes(one) : [missingNote(board)]),
    ...(latency ? latencyNotes(latency) : []),
  ]
  lines.push(...wrapped(notes.filter(Boolean).join(' '), columns))
  return `${lines.join('\n')}\n`
}

/** Notes at the end of a run; \`leaderboard\` shows all. */
const NOTES = 3

/**
 * A result at the end of a run: the verdict, the report's path, the leaderboard, and the notes that threaten the verdict
 * most, at most three. `experiment` is its folder, quoted for a shell.
 */
export function resultText(
  result: Result,
  latency: Latency | null,
  {
    columns = 80,
    paint = PLAIN,
    report,
    experiment,
  }: TextOptions & { readonly report: string; readonly experiment: string },
): string {
  const board = leaderboardOf(result, latency)
  const { ranked, one } = board
  const verdict = [
    ...wrapped(verdictSentence(board), columns).map(paint.strong),
    ...leadNotes(board).flatMap((note) => wrapped(note, columns)),
  ]
  const lines = [...verdict, report, '', ...table(ranked, board, { columns, paint })]
  if (lettersNote(board) !== '')
    lines.push(
      ...wrapped('Letters after a mean: significantly better than the rows with those letters.', columns),
    )
  const failures = one ? trialNotes(one) : [missingNote(board)]
  const threats = [
    sampleNote(board),
    syntheticNote(board),
    ...(one ? foundNothingLines(one) : []),
    ...failures,
    ...outcome(board),
    sharedGoldNote(board),
    belowTrialsNote(board, headlineRows(board)),
    board.tuning.kind === 'none' ? tuningNote(board) : '',
    ...(one ? indexLines(one) : []),
  ].filter((note, index, all) => note !== '' && all.indexOf(note) === index)
  if (threats.length > 0) lines.push('')
  for (const note of threats.slice(0, NOTES)) lines.push(...wrapItem(`- ${printableText(note)}`, columns))
  const folder = printableText(experiment)
  lines.push('', `All notes and trials: touchstone leaderboard ${folder}`)
  if (one?.answers) lines.push('Measures of the answers: section Answers of the report')
  if (one && one.trials.length > 1 && !sampleNote(board))
    lines.push(`A choice under limits: touchstone recommend ${folder}`)
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

function trialNotes(summary: Summary): string[] {
  const { trials, dataset } = summary
  const failed = trials.filter(({ failed }) => failed > 0)
  return [
    failed.length > 0
      ? `Failed queries count as 0: ${failed.map((trial) => `${trial.name} ${trial.failed}`).join(', ')}.`
      : '',
    dataset.missing > 0
      ? `${plural(dataset.missing, 'gold label')} of ${quantity(dataset.gold)} ${dataset.missing === 1 ? 'is' : 'are'} missing from the corpus.`
      : '',
  ]
}

/** Notes that the order of the rows would hide: few queries, ties, losses. */
function outcome(board: Leaderboard): string[] {
  const rows = rivals(board)
  const [first] = rows
  if (!first) return []
  const { n } = first.whole
  const ties = tiedWith(rows).map(({ name }) => name)
  const losses = lossesOf(rows, signOf(board)).slice(0, 3)
  return [
    standInNote(board),
    n > 0 && n < FEWEST_QUERIES
      ? `${plural(n, 'query', 'queries')} ${n === 1 ? 'is' : 'are'} too few to generalise from; below ${FEWEST_QUERIES} no row is called better or worse.`
      : '',
    ties.length > 0 ? `Tied for the first rank: ${[first.name, ...ties].join(', ')}.` : '',
    losses.length > 0 ? `Where ${first.name} loses: ${losses.map(lossInWords).join('; ')}.` : '',
  ].filter(Boolean)
}

function table(
  rows: readonly LeaderboardRow[],
  board: Leaderboard,
  { columns: width, paint }: Required<TextOptions>,
): string[] {
  const { primary, measures, one } = board
  const shown = rows.slice(0, SHOWN)
  const column = (head: string, text: (row: LeaderboardRow, index: number) => string, left = false) =>
    textColumn({ head, left, text }, shown)
  const numbers = numberColumns(board, 2)
  const broken = ({ failed }: LeaderboardRow) => failed === one?.dataset.queries
  // Letters follow the mean in a fixed width, so that decimals stay aligned.
  const lettered = rows.some((row) => row.lettered)
  const beats = widest(rows.map((row) => row.lettered?.beats ?? ''))
  const brief = isBrief(rows, one ? Math.max(NAME_COLUMN, width - 56) : NAME_COLUMN)
  const means = shown.map(({ measures }) => measures[primary]?.mean)
  const rank = column(lettered ? '#  ' : '#', (row, index) => {
    const place = `${rankOf(index, means)}`
    return lettered ? `${place} ${row.lettered?.letter || ' '}` : place
  })
  const name = column(
    rows[0]?.kind === 'tuned' ? 'strategy' : 'trial',
    (row) => (brief ? briefName(row) : row.name),
    true,
  )
  const mean = numbers.measure(primary)
  const quality = [
    column(
      one ? primary : 'macro mean',
      (row) => `${mean.text(row)}${beats > 0 ? ` ${(row.lettered?.beats ?? '').padEnd(beats)}` : ''}`,
    ),
    column(
      '',
      (row) => interval(row.measures[primary]?.low ?? null, row.measures[primary]?.high ?? null),
      true,
    ),
  ]
  const datasets = numbers.datasets.map((one) => textColumn(one, shown))
  const optional = !one
    ? []
    : [
        ...(rows.some((row) => row.compared || broken(row))
          ? [
              {
                ...column('to baseline', (row) => (broken(row) ? 'failed' : difference(row)), true),
                paint: (cell: string, line: number) => painted(cell, shown[line - 1]?.compared, paint),
              },
            ]
          : []),
        ...[
          ...[numbers.seeds, numbers.optimism, numbers.tokens, numbers.times[0], numbers.engine].filter(
            isIn(rows),
          ),
          ...measures.filter((measure) => measure !== primary).map(numbers.measure),
        ].map((one) => textColumn(one, shown)),
      ]
  return [
    ...(one
      ? whatFits(width, [rank, name], quality, optional)
      : inBlocks(width, { names: [rank, name], datasets, last: quality })),
    ...(rows.length > SHOWN
      ? [`… and ${quantity(rows.length - SHOWN)} more; \`touchstone leaderboard --csv\` lists all`]
      : []),
    ...(brief ? ['', ...wrap(`Params: ${paramsInBrief(rows).join('; ')}.`, width)] : []),
  ]
}

/** True if names are too long: params are then shown by value, and their names below the table. */
function isBrief(rows: readonly LeaderboardRow[], max: number): boolean {
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
  const brief = isBrief(ranked, NAME_COLUMN)
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
  return ['', `Paired differences from ${differencesTo(board)}, in points`, '', ...inBlocks(width, columns)]
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
export function leaderboardJson(summary: Result, latency: Latency | null) {
  const { ranked, seen } = leaderboardOf(summary, latency)
  if ('rows' in summary) {
    const rows = new Map(summary.rows.map((row) => [row.id, row]))
    return { ...summary, rows: ranked.map(({ id }) => rows.get(id)!) }
  }
  const trials = new Map(summary.trials.map((trial) => [trial.id, trial]))
  return {
    experiment: summary.experiment,
    ...originOf(summary.dataset),
    primary: summary.primary,
    tuning: summary.tuning,
    comparison: summary.comparison,
    tuned: ranked
      .filter(({ kind }) => kind === 'tuned')
      .map(({ id }) => summary.tuned.find((row) => row.id === id)),
    trials: (seen.length > 0 ? seen : ranked).map(({ id, latency: times }) => {
      const { name, strategy, params, filter, before, after, measures, perQuery, failed } = trials.get(id)!
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
        ...(times ? { latency: times } : {}),
      }
    }),
  }
}

function originOf({ sample, synthetic, reviewed }: Summary['dataset']) {
  return { ...(sample && { sample }), ...(synthetic && { synthetic }), ...(reviewed && { reviewed }) }
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
        row,
        dataset,
        measures: row.datasets[index] ?? {},
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
function textTable(result: Result, latency: Latency | null): Table<LeaderboardRow> {
  const board = leaderboardOf(result, latency)
  const { ranked, seen, primary, measures, experiment, one } = board
  const shown = (means: LeaderboardRow['measures'] | null) =>
    measured(board, primary, means?.[primary]?.mean, 2)
  const numbers = numberColumns(board, 2)
  const columns: readonly Column<LeaderboardRow>[] = [
    {
      head: !one && ranked[0]?.kind === 'tuned' ? 'strategy' : 'trial',
      left: true,
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
          ...[numbers.tokens].filter(isIn([...ranked, ...seen])),
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
    ? `${experiment}: percent, mean over ${quantity(ranked[0]?.measures[primary]?.n ?? 0)} queries, ${confidence(board.level)}intervals in brackets. ${lettersNote(board)} ${tuningNote(board)}`
    : `${experiment}: ${primary} in percent. Datasets: ${datasetsInWords(board)}. ${macroNote(board)} ${tuningNote(board)} ${comparisonNote(board)} ${lettersNote(board)}`
  const marked = `${sampleTitle(board)}${syntheticNote(board)} ${caption}`
  return { columns, parts, caption: marked.replace(/ {2,}/g, ' ').trim() }
}

export function leaderboardMarkdown(result: Result, latency: Latency | null): string {
  return markdownTable(textTable(result, latency))
}

export function leaderboardLatex(result: Result, latency: Latency | null): string {
  return latexTable(textTable(result, latency))
}
