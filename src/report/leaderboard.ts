import { briefName } from '../results/brief-name.ts'
import type { Latency } from '../results/latency.ts'
import type { ComparedRow, Summary } from '../results/summary.ts'
import { FEWEST_QUERIES } from '../statistics/verdict.ts'
import { isIn, numberColumns, paramsInBrief } from './board.ts'
import { fallbackLines } from './fallbacks.ts'
import { latencyNotes } from './latency-notes.ts'
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
import { signOf } from './measured.ts'
import {
  comparedName,
  comparisonNote,
  datasetsInWords,
  differencesTo,
  drawsNote,
  lettersNote,
  macroNote,
  missingNote,
  OPTIMISM,
  SEEN,
  tuningNote,
} from './notes.ts'
import { interval, plural, points, pointsInterval, quantity } from './numbers.ts'
import {
  lossesOf,
  lossInWords,
  rankOf,
  tiedWith,
  VERDICT_MARKS,
  verdictMark,
  verdictWord,
} from './outcome.ts'
import { raceInWords } from './raced.ts'
import { repeatsInWords } from './repeats.ts'
import { inBlocks, NAME_COLUMN, textColumn, whatFits } from './table.ts'
import { printableText, widest, wrap } from './terminal.ts'

/** Rows of a long table that are printed; `--csv` has all. */
const SHOWN = 30

/**
 * The leaderboard as text for a terminal of `columns` characters (80 fit): rank, trial, the primary measure with its
 * interval, the difference to the baseline with its verdict, tokens; then p50 and other measures while there is room.
 * Over several datasets: the primary measure on each and its macro mean, then the differences in the same columns.
 */
export function leaderboardText(result: Result, latency: Latency | null, { columns = 80 } = {}): string {
  const board = leaderboardOf(result, latency)
  const { ranked, seen, primary, comparison, experiment, datasets, one, count } = board
  const size = one
    ? `${quantity(datasets[0].judged)} judged queries, ${plural(count, 'trial')}`
    : `${datasets.length} datasets`
  const lines = [`${experiment}: ${primary} in percent, ${size}`, '', ...table(ranked, board, columns)]
  if (seen.length > 0) lines.push('', `${SEEN}:`, '', ...table(seen, board, columns))
  if (!one) lines.push(...differencesTable(board, columns))
  const fell = one ? fallbackLines(one) : []
  if (fell.length > 0) lines.push('', ...fell.flatMap((line) => wrap(line, columns)))
  lines.push('', ...wrap([tuningNote(board), seen.length > 0 ? OPTIMISM : ''].join(' '), columns))
  const notes = [
    ...outcome(board),
    ...(one ? bracketsNote(board, one) : [`Datasets: ${datasetsInWords(board)}.`, macroNote(board)]),
    ...(comparison ? [comparisonNote(board), drawsNote(comparison), lettersNote(board)] : []),
    ...(one ? trialNotes(one) : [missingNote(board)]),
    ...(latency ? latencyNotes(latency) : []),
  ]
  lines.push(...wrap(notes.filter(Boolean).join(' '), columns))
  return `${lines.map(printableText).join('\n')}\n`
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
    raceInWords(summary),
    repeatsInWords(summary),
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
    n > 0 && n < FEWEST_QUERIES
      ? `${plural(n, 'query', 'queries')} are too few to generalise from; below ${FEWEST_QUERIES} no row is called better or worse.`
      : '',
    ties.length > 0 ? `Tied for the first rank: ${[first.name, ...ties].join(', ')}.` : '',
    losses.length > 0 ? `Where ${first.name} loses: ${losses.map(lossInWords).join('; ')}.` : '',
  ].filter(Boolean)
}

function table(rows: readonly LeaderboardRow[], board: Leaderboard, width: number): string[] {
  const { primary, measures, one } = board
  const shown = rows.slice(0, SHOWN)
  const column = (head: string, text: (row: LeaderboardRow, index: number) => string, left?: true) =>
    textColumn({ head, text, ...(left && { left }) }, shown)
  const numbers = numberColumns(board, 2)
  const broken = ({ failed }: LeaderboardRow) => failed === one?.dataset.queries
  // Letters stand behind the mean in a width of their own, so that decimals stay below one another.
  const lettered = rows.some((row) => row.lettered)
  const beats = widest(rows.map((row) => row.lettered?.beats ?? ''))
  const brief = isBrief(rows, one ? Math.max(NAME_COLUMN, width - 56) : NAME_COLUMN)
  const means = shown.map(({ measures }) => measures[primary]?.mean)
  const rank = column(lettered ? '#  ' : '#', (row, index) => {
    const place = row.stopped ? '-' : `${rankOf(index, means)}`
    return lettered ? `${place} ${row.lettered?.letter || ' '}` : place
  })
  const name = column(
    rows[0]?.kind === 'tuned' ? 'strategy' : 'trial',
    (row) => printableText(brief ? briefName(row) : row.name),
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
          ? [column('to baseline', (row) => (broken(row) ? 'failed' : difference(row)), true)]
          : []),
        ...[
          ...[numbers.stopped, numbers.optimism, numbers.tokens, numbers.times[0]].filter(isIn(rows)),
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
  const column = (head: string, text: (row: ComparedRow) => string, left?: true) =>
    textColumn<ComparedRow>({ head, text, ...(left && { left }) }, rows)
  const columns = {
    names: [
      column(ranked[0]?.kind === 'tuned' ? 'strategy' : 'trial', (row) => printableText(nameOf(row)), true),
    ],
    datasets: datasets.map(({ name }, index) =>
      column(name, ({ datasets: differences }) => {
        const { n, difference, verdict } = differences[index]
        return n === 0 ? '' : `${points(difference)} ${verdict ? VERDICT_MARKS[verdict] : ' '}`
      }),
    ),
    last: [
      column('macro mean', (row) => `${points(row.difference)} ${verdictMark(row)}`),
      column('', ({ low, high }) => pointsInterval(low, high), true),
    ],
  }
  return ['', `Paired differences from ${differencesTo(board)}, in points`, '', ...inBlocks(width, columns)]
}
