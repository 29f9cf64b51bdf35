import { marksOf } from '../charts/strategy-marks.ts'
import { isIn, type NumberColumn, numberColumns } from '../leaderboard-columns.ts'
import { type Leaderboard, type LeaderboardRow, placeOf } from '../leaderboard-rows.ts'
import { points, probability } from '../numbers.ts'
import { limitsInWords, verdictMark, verdictWord } from '../outcome.ts'
import type { BoardData, BoardRow } from './board-data.ts'
import { type Block, jsonBlock } from './encode.ts'

/** Most rows of each part of the page's leaderboard; `leaderboard --csv` lists all. */
const MAX_ROWS = 1000
/** Most categories of a row's small bars. */
const MAX_CATEGORIES = 24

/** Leaderboard for the page's script, best first. */
export function packBoard(board: Leaderboard): Block {
  const { primary, measures, ranked, seen, one, strategies } = board
  const rows = [...ranked, ...seen]
  const numbers = numberColumns(board)
  const quality = numbers.measure(primary)
  const columns: NumberColumn[] = [
    ...numbers.datasets,
    ...measures.filter((measure) => measure !== primary).map(numbers.measure),
    ...[
      numbers.optimism,
      numbers.tokens,
      numbers.modelCalls,
      numbers.fallbacks,
      ...numbers.times,
      numbers.failed,
    ].filter(isIn(rows)),
  ]
  const trials = new Map(one?.trials.map(({ id }, index) => [id, index]))
  const marks = marksOf(strategies)
  const own = one?.dataset.categories ?? []
  const categories = own.slice(0, MAX_CATEGORIES).map(({ name }) => name)
  const rowOf = (row: LeaderboardRow): BoardRow => {
    const { mean, low, high } = row.measures[primary] ?? { mean: null, low: null, high: null }
    const mark = marks.get(row.strategy)
    return {
      id: row.id,
      trial: trials.get(row.id) ?? (one ? placeOf(one, row.id) : -1),
      name: row.name,
      strategy: row.strategy,
      hue: mark?.hue ?? 1,
      shape: mark?.shape.path ?? '',
      baseline: row.baseline,
      letter: row.lettered?.letter ?? '',
      beats: row.lettered?.beats ?? '',
      mean: rounded(mean),
      low: rounded(low),
      high: rounded(high),
      text: quality.text(row),
      difference: differenceOf(row),
      untested: row.baseline ? 'baseline' : row.untested,
      texts: columns.map(({ text }) => text(row)),
      values: columns.map(({ value }) => rounded(value(row))),
      categories: categories.map((name) => rounded(row.groups[name]?.[primary]?.mean ?? null)),
    }
  }
  const data: BoardData = {
    primary,
    strategies,
    tuned: ranked[0]?.kind === 'tuned',
    categories,
    columns: columns.map(({ head, title }) => ({ head, title: title ?? '' })),
    allCategories: own.length,
    leftOut: [ranked, seen].reduce((left, { length }) => left + Math.max(0, length - MAX_ROWS), 0),
    ranked: ranked.slice(0, MAX_ROWS).map(rowOf),
    seen: seen.slice(0, MAX_ROWS).map(rowOf),
  }
  return jsonBlock(data)
}

function differenceOf({ compared }: LeaderboardRow): BoardRow['difference'] {
  if (!compared) return null
  const { difference, adjusted } = compared
  return {
    value: difference,
    text: `${verdictMark(compared)} ${points(difference)}`,
    verdict: compared.verdict.replace(' ', '-'),
    title: `${verdictWord(compared)}: ${limitsInWords(compared)}, adjusted p ${probability(adjusted)}`,
  }
}

/** Seven digits, which sort as the exact value does in all that is shown. */
function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(7))
}
