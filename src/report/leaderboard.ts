import { briefName } from '../results/brief-name.ts'
import type { Latency } from '../results/latency.ts'
import type { MacroSummary } from '../results/macro.ts'
import type { ComparedRow, Summary } from '../results/summary.ts'
import { FEWEST_QUERIES } from '../statistics/verdict.ts'
import { isIn, numberColumns, paramsInBrief } from './board.ts'
import { inBlocks, NAME_COLUMN, whatFits } from './columns.ts'
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
import { printableText, type TextColumn, widest, wrap } from './terminal.ts'

/** Rows of a long table that are printed; `--csv` has all. */
const SHOWN = 30

/**
 * The leaderboard as text for a terminal of `columns` characters (80 fit): rank, trial, the primary measure with its
 * interval, the difference to the baseline with its verdict, tokens; then p50 and other measures while there is room.
 * Over several datasets: the primary measure on each and its macro mean, then the differences in the same columns.
 */
export function leaderboardText(result: Result, latency: Latency | null, { columns = 80 } = {}): string {
  const standings = leaderboardOf(result, latency)
  const { ranked, seen } = standings
  const { primary, comparison, experiment, tuning } = result
  const several = 'rows' in result
  const rows = several ? result.rows : result.trials
  const size = several
    ? `${result.datasets.length} datasets`
    : `${quantity(result.dataset.judged)} judged queries, ${plural(rows.length, 'trial')}`
  const lines = [`${experiment}: ${primary} in percent, ${size}`, '', ...table(ranked, result, columns)]
  if (seen.length > 0) lines.push('', `${SEEN}:`, '', ...table(seen, result, columns))
  if (several) lines.push(...differencesTable(result, standings, columns))
  const fell = several ? [] : fallbackLines(result)
  if (fell.length > 0) lines.push('', ...fell.flatMap((line) => wrap(line, columns)))
  const tuned = tuningNote(tuning, rows.length, several ? ' within each dataset' : '')
  lines.push('', ...wrap([tuned, seen.length > 0 ? OPTIMISM : ''].join(' '), columns))
  const notes = [
    ...outcome(result, ranked),
    ...(several ? datasetsNotes(result) : bracketsNote(result, [...ranked, ...seen])),
    ...(comparison ? [comparisonNote(result), drawsNote(comparison), lettersNote(result)] : []),
    ...(several ? [missingNote(result)] : trialNotes(result)),
    ...(latency ? latencyNotes(latency) : []),
  ]
  lines.push(...wrap(notes.filter(Boolean).join(' '), columns))
  return `${lines.map(printableText).join('\n')}\n`
}

function bracketsNote(summary: Summary, rows: readonly LeaderboardRow[]): string[] {
  return [
    rows.some(({ measures }) => measures[summary.primary]?.low !== null)
      ? `Brackets: ${confidence(summary.comparison?.level)}interval.`
      : '',
    rows.some(numberColumns(summary).tokens.cell)
      ? `${tokensName(summary)}: tokens per query in ${sentWords(summary)}.`
      : '',
  ]
}

function datasetsNotes(macro: MacroSummary): string[] {
  return [`Datasets: ${datasetsInWords(macro)}.`, macroNote(macro)]
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
function outcome(summary: Result, ranked: readonly LeaderboardRow[]): string[] {
  const rows = rivals(ranked, summary)
  const [first] = rows
  if (!first) return []
  const { n } = first.whole
  const ties = tiedWith(rows).map(({ name }) => name)
  const losses = lossesOf(rows, signOf(summary)).slice(0, 3)
  return [
    n > 0 && n < FEWEST_QUERIES
      ? `${plural(n, 'query', 'queries')} are too few to generalise from; below ${FEWEST_QUERIES} no row is called better or worse.`
      : '',
    ties.length > 0 ? `Tied for the first rank: ${[first.name, ...ties].join(', ')}.` : '',
    losses.length > 0 ? `Where ${first.name} loses: ${losses.map(lossInWords).join('; ')}.` : '',
  ].filter(Boolean)
}

function table(rows: readonly LeaderboardRow[], result: Result, width: number): string[] {
  const { primary, measures } = result
  const several = 'rows' in result
  const shown = rows.slice(0, SHOWN)
  const column = (
    head: string,
    cell: (row: LeaderboardRow, index: number) => string,
    left = false,
  ): TextColumn => ({
    cells: [head, ...shown.map(cell)],
    left,
  })
  const numbers = numberColumns(result, 2)
  const broken = ({ failed }: LeaderboardRow) => !several && failed === result.dataset.queries
  // Letters stand behind the mean in a width of their own, so that decimals stay below one another.
  const lettered = rows.some((row) => row.lettered)
  const beats = widest(rows.map((row) => row.lettered?.beats ?? ''))
  const brief = isBrief(rows, several ? NAME_COLUMN : Math.max(NAME_COLUMN, width - 56))
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
      several ? 'macro mean' : primary,
      (row) => `${mean.cell(row)}${beats > 0 ? ` ${(row.lettered?.beats ?? '').padEnd(beats)}` : ''}`,
    ),
    column(
      '',
      (row) => interval(row.measures[primary]?.low ?? null, row.measures[primary]?.high ?? null),
      true,
    ),
  ]
  const datasets = numbers.datasets.map(({ head, cell }) => column(head, cell))
  const optional = several
    ? []
    : [
        ...(rows.some((row) => row.compared || broken(row))
          ? [column('to baseline', (row) => (broken(row) ? 'failed' : difference(row)), true)]
          : []),
        ...[
          ...[numbers.stopped, numbers.optimism, numbers.tokens, numbers.times[0]].filter(isIn(rows)),
          ...measures.filter((measure) => measure !== primary).map(numbers.measure),
        ].map(({ head, cell }) => column(head, cell)),
      ]
  return [
    ...(several
      ? inBlocks(width, { names: [rank, name], datasets, last: quality })
      : whatFits(width, [rank, name], quality, optional)),
    ...(rows.length > SHOWN
      ? [`… and ${quantity(rows.length - SHOWN)} more; \`touchstone leaderboard --csv\` lists all`]
      : []),
    ...(brief ? ['', ...wrap(`Params: ${paramsInBrief(rows).join('; ')}.`, width)] : []),
  ]
}

/** True if names are too long: params are then shown by value, and their names below the table. */
function isBrief(rows: readonly LeaderboardRow[], most: number): boolean {
  return widest(rows.map(({ name }) => name)) > most && rows.some((row) => briefName(row) !== row.name)
}

function difference({ compared, baseline }: LeaderboardRow): string {
  if (baseline) return 'baseline'
  return compared ? `${points(compared.difference).padStart(5)} ${verdictWord(compared)}` : ''
}

/** Differences on each dataset and of the macro means, with the marks of their verdicts. */
function differencesTable(macro: MacroSummary, { ranked }: Leaderboard, width: number): string[] {
  const { comparison, datasets } = macro
  if (!comparison) return []
  const rows = [...comparison.rows].sort((a, b) => b.difference - a.difference).slice(0, SHOWN)
  const brief = isBrief(ranked, NAME_COLUMN)
  const nameOf = comparedName(
    macro,
    new Map(ranked.map((row) => [row.id, brief ? briefName(row) : row.name])),
  )
  const column = (head: string, cell: (row: ComparedRow) => string, left = false): TextColumn => ({
    cells: [head, ...rows.map(cell)],
    left,
  })
  const columns = {
    names: [column(macro.kind === 'tuned' ? 'strategy' : 'trial', (row) => printableText(nameOf(row)), true)],
    datasets: datasets.map(({ name }, index) =>
      column(name, ({ datasets: own }) => {
        const { n, difference, verdict } = own[index]
        return n === 0 ? '' : `${points(difference)} ${verdict ? VERDICT_MARKS[verdict] : ' '}`
      }),
    ),
    last: [
      column('macro mean', (row) => `${points(row.difference)} ${verdictMark(row)}`),
      column('', ({ low, high }) => pointsInterval(low, high), true),
    ],
  }
  return ['', `Paired differences from ${differencesTo(macro)}, in points`, '', ...inBlocks(width, columns)]
}
