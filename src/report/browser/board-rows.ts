import { allRows, type Board, type BoardRow, cellText, numberAt } from '../board.ts'
import { natural } from '../numbers.ts'

export interface Shown {
  readonly row: BoardRow
  /** True for trials below a strategy and answers below a trial. */
  readonly isBelow: boolean
  /** Number of trials below it. */
  readonly trials: number
}

interface Wanted {
  readonly text: string
  /** '' for all. */
  readonly strategy: string
  /** As in `BoardTable`; '' for the board's order. */
  readonly sort: string
  /** Places of strategies that show trials. */
  readonly open: readonly string[]
  readonly pinned: readonly string[]
}

/** Pinned rows first; below an open strategy its trials. */
export function rowsOf(board: Board, { text, strategy, sort, open, pinned }: Wanted): Shown[] {
  const { seen, isTuned, strategies, columns } = board
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (row: BoardRow) => {
    const all = `${row.name} ${row.strategy}`.toLowerCase()
    return (strategy === '' || row.strategy === strategy) && words.every((word) => all.includes(word))
  }
  const ordered = (rows: readonly BoardRow[]) =>
    sort === '' ? rows : [...rows].sort(byColumn(columns, sort))
  const below = (row: BoardRow) =>
    isTuned && row.kind !== 'answer'
      ? ordered(seen.filter((trial) => trial.strategy === row.strategy && (fits(trial) || fits(row))))
      : []
  // Answers of a tuned strategy's trials have no row above them.
  const isBelow = ({ kind, trial }: BoardRow) => sort === '' && !isTuned && kind === 'answer' && trial >= 0
  const rows = ordered(allRows(board)).flatMap((row): Shown[] => {
    const trials = below(row)
    if (!fits(row) && trials.length === 0) return []
    const isOpen = open.includes(String(strategies.indexOf(row.strategy))) || !fits(row)
    return [
      { row, isBelow: isBelow(row), trials: trials.length },
      ...(isOpen ? trials.map((trial) => ({ row: trial, isBelow: true, trials: 0 })) : []),
    ]
  })
  const isPinned = ({ row }: Shown) => pinned.includes(row.id)
  return [...rows.filter(isPinned), ...rows.filter((shown) => !isPinned(shown))]
}

/** Rows without a value come last. */
function byColumn(columns: Board['columns'], sort: string): (a: BoardRow, b: BoardRow) => number {
  const way = sort.startsWith('-') ? -1 : 1
  const by = sort.replace(/^-/, '')
  if (by === 'name') return (a, b) => way * natural(a.name, b.name)
  const column = columns[Number(by)]
  if (!column) return () => 0
  const text = (row: BoardRow) => (column.format === 'text' ? cellText(column, row) : '')
  return (a, b) => {
    const [x, y] = [numberAt(column, a), numberAt(column, b)]
    if (x === null || y === null) return x === y ? way * natural(text(a), text(b)) : x === null ? 1 : -1
    return way * (x - y)
  }
}
