import { briefName } from '../results/brief-name.ts'
import type { Latency } from '../results/latency.ts'
import type { Summary } from '../results/summary.ts'
import { FEWEST_QUERIES } from '../statistics/verdict.ts'
import { isIn, numberColumns, paramsInBrief } from './board.ts'
import { fallbackLines } from './fallbacks.ts'
import { latencyNotes } from './latency-notes.ts'
import { macroText } from './macro/text.ts'
import { signOf } from './measured.ts'
import { baselineName, drawsNote, lettersNote, OPTIMISM, SEEN, tuningNote } from './notes.ts'
import { corrected, interval, percent, plural, points, quantity } from './numbers.ts'
import { lossesOf, lossInWords, rankOf, tiedWith, verdictWord } from './outcome.ts'
import { raceInWords } from './raced.ts'
import {
  confidence,
  type Result,
  rivals,
  type Standing,
  sentWords,
  standingsOf,
  tokensName,
} from './standings.ts'
import { clean, sideBySide, type TextColumn, widest, wrap } from './terminal.ts'

/** Rows of a long table that are printed; `--csv` has all. */
const SHOWN = 30

/** A name may be cut to so many characters to make room; below that, columns go instead. */
const NAME = 24

/**
 * The leaderboard as text for a terminal of `columns` characters (80 fit): rank, trial, the primary measure with its
 * interval, the difference to the baseline with its verdict, tokens; then p50 and other measures while there is room.
 */
export function leaderboardText(summary: Result, latency: Latency | null, { columns = 80 } = {}): string {
  if ('rows' in summary) return macroText(summary, { columns })
  const { ranked, seen } = standingsOf(summary, latency)
  const { dataset, primary, trials, comparison } = summary
  const lines = [
    `${summary.experiment}: ${primary} in percent, ${quantity(dataset.judged)} judged queries, ${plural(trials.length, 'trial')}`,
    '',
    ...table(ranked, summary, columns),
  ]
  if (seen.length > 0) lines.push('', `${SEEN}:`, '', ...table(seen, summary, columns))
  const fell = fallbackLines(summary)
  if (fell.length > 0) lines.push('', ...fell.flatMap((line) => wrap(line, columns)))
  lines.push(
    '',
    ...wrap([tuningNote(summary.tuning, trials.length), seen.length > 0 ? OPTIMISM : ''].join(' '), columns),
  )
  const bracketed = [...ranked, ...seen].some(({ measures }) => measures[primary]?.low !== null)
  const notes = [
    ...outcome(summary, ranked),
    ...(bracketed ? [`Brackets: ${confidence(summary.comparison?.level)}interval.`] : []),
  ]
  if ([...ranked, ...seen].some(numberColumns(summary).tokens.cell))
    notes.push(`${tokensName(summary)}: tokens a query of ${sentWords(summary)}.`)
  if (comparison)
    notes.push(
      `Differences to ${baselineName(summary)}, ${corrected(comparison.correction)} over ${plural(comparison.rows.length, 'comparison')}.`,
      drawsNote(comparison),
      lettersNote(summary),
    )
  notes.push(raceInWords(summary))
  const failed = trials.filter(({ failed }) => failed > 0)
  if (failed.length > 0)
    notes.push(
      `Queries failed, counted as 0: ${failed.map((trial) => `${trial.name} ${trial.failed}`).join(', ')}.`,
    )
  if (dataset.missing > 0)
    notes.push(
      `${plural(dataset.missing, 'gold label')} of ${quantity(dataset.gold)} missing from the corpus.`,
    )
  if (latency) notes.push(...latencyNotes(latency))
  lines.push(...wrap(notes.filter(Boolean).join(' '), columns))
  return `${lines.map(clean).join('\n')}\n`
}

/** What the order of the rows alone would hide. */
function outcome(summary: Summary, ranked: readonly Standing[]): string[] {
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

function table(rows: readonly Standing[], summary: Summary, width: number): string[] {
  const { primary, measures, tuned, dataset, trials } = summary
  const shown = rows.slice(0, SHOWN)
  const column = (
    head: string,
    cell: (row: Standing, index: number) => string,
    left = false,
  ): TextColumn => ({
    cells: [head, ...shown.map(cell)],
    left,
  })
  const numbers = numberColumns(summary, 2)
  const broken = ({ failed }: Standing) => failed === dataset.queries
  // Letters stand behind the mean in a width of their own, so that decimals stay below one another.
  const lettered = rows.some((row) => row.lettered)
  const beats = widest(rows.map((row) => row.lettered?.beats ?? ''))
  // Where whole names would push out the other columns, params stand by value alone, and their names below.
  const brief =
    widest(rows.map(({ name }) => name)) > Math.max(NAME, width - 56) &&
    rows.some((row) => briefName(row) !== row.name)
  const means = shown.map(({ measures }) => measures[primary]?.mean)
  const rank = column(lettered ? '#  ' : '#', (row, index) => {
    const place = row.stopped ? '-' : `${rankOf(index, means)}`
    return lettered ? `${place} ${row.lettered?.letter || ' '}` : place
  })
  const name = column(
    tuned.length > 0 && rows[0]?.kind === 'tuned' ? 'strategy' : 'trial',
    (row) => clean(brief ? briefName(row) : row.name),
    true,
  )
  const quality = [
    column(
      primary,
      (row) =>
        `${percent(row.measures[primary]?.mean, 2)}${beats > 0 ? ` ${(row.lettered?.beats ?? '').padEnd(beats)}` : ''}`,
    ),
    column(
      '',
      (row) => interval(row.measures[primary]?.low ?? null, row.measures[primary]?.high ?? null),
      true,
    ),
  ]
  const optional = [
    ...(rows.some((row) => row.compared || broken(row))
      ? [column('to baseline', (row) => (broken(row) ? 'failed' : difference(row)), true)]
      : []),
    ...[
      ...[numbers.stopped, numbers.optimism, numbers.tokens, numbers.times[0]].filter(isIn(rows)),
      ...measures.filter((measure) => measure !== primary).map(numbers.measure),
    ].map(({ head, cell }) => column(head, cell)),
  ]
  const nameWidth = Math.min(NAME, widest(name.cells))
  let room = [rank, ...quality].reduce((left, { cells }) => left - widest(cells) - 2, width - nameWidth)
  const fitting = optional.filter(({ cells }) => {
    const needed = widest(cells) + 2
    if (needed > room) return false
    room -= needed
    return true
  })
  const named = { ...name, width: Math.min(widest(name.cells), nameWidth + Math.max(room, 0)) }
  return [
    ...sideBySide([rank, named, ...quality, ...fitting]),
    ...(rows.length > SHOWN
      ? [`… and ${quantity(rows.length - SHOWN)} more; \`touchstone leaderboard --csv\` has all`]
      : []),
    ...(brief ? ['', ...wrap(`Params: ${paramsInBrief(trials).join('; ')}.`, width)] : []),
  ]
}

function difference({ compared, baseline }: Standing): string {
  if (baseline) return 'baseline'
  return compared ? `${points(compared.difference).padStart(5)} ${verdictWord(compared)}` : ''
}
