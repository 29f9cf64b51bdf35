import type { BoardData, BoardRow } from '../detail/board-data.ts'
import { natural } from './natural.ts'

export interface Shown {
  readonly row: BoardRow
  /** True for a trial below its strategy. */
  readonly below: boolean
  /** Number of trials that the row can show below it. */
  readonly trials: number
}

/** `-mean` as its column and its direction: -1 for descending. */
export function sortOf(sort: string): [by: string, way: 1 | -1] {
  return sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
}

/** Rows to show, in order: pinned ones first, and below an open strategy its trials. */
export function rowsOf(
  { ranked, seen, tuned }: BoardData,
  text: string,
  strategy: string,
  sort: string,
  open: readonly string[],
  pinned: readonly string[],
): Shown[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (row: BoardRow) =>
    (strategy === '' || row.strategy === strategy) &&
    words.every((word) => `${row.name} ${row.strategy}`.toLowerCase().includes(word))
  const [by, way] = sortOf(sort)
  const sortValue = (row: BoardRow) =>
    by === 'mean'
      ? row.mean
      : by === 'difference'
        ? (row.difference?.value ?? null)
        : (row.values[Number(by)] ?? null)
  const ordered = (rows: readonly BoardRow[]) => {
    if (by === '') return [...rows]
    if (by === 'name') return [...rows].sort((a, b) => way * natural(a.name, b.name))
    return [...rows].sort((a, b) => {
      const [x, y] = [sortValue(a), sortValue(b)]
      if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1
      return way * (x - y)
    })
  }
  const below = (row: BoardRow) =>
    tuned
      ? ordered(seen.filter((trial) => trial.strategy === row.strategy && (fits(trial) || fits(row))))
      : []
  const rows = ordered(ranked).flatMap((row): Shown[] => {
    const trials = below(row)
    if (!fits(row) && trials.length === 0) return []
    // A row that does not fit is there for its trials.
    const isOpen = open.includes(row.strategy) || !fits(row)
    return [
      { row, below: false, trials: trials.length },
      ...(isOpen ? trials.map((trial) => ({ row: trial, below: true, trials: 0 })) : []),
    ]
  })
  const isPinned = ({ row }: Shown) => pinned.includes(row.id)
  return [...rows.filter(isPinned), ...rows.filter((shown) => !isPinned(shown))]
}
