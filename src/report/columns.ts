import { sideBySide, type TextColumn, widest } from './terminal.ts'

/** A name may be cut to so many characters to make room; below that, columns go instead. */
export const NAME_COLUMN = 24
/** The narrowest of a dataset's column. */
const NARROWEST = 7

/** Columns while there is room for them; then the name takes the rest. */
export function whatFits(
  width: number,
  [rank, name]: readonly TextColumn[],
  quality: readonly TextColumn[],
  optional: readonly TextColumn[],
): string[] {
  const nameWidth = Math.min(NAME_COLUMN, widest(name.cells))
  let room = [rank, ...quality].reduce((left, { cells }) => left - widest(cells) - 2, width - nameWidth)
  const fitting = optional.filter(({ cells }) => {
    const needed = widest(cells) + 2
    if (needed > room) return false
    room -= needed
    return true
  })
  const named = { ...name, width: Math.min(widest(name.cells), nameWidth + Math.max(room, 0)) }
  return sideBySide([rank, named, ...quality, ...fitting])
}

interface Columns {
  /** Columns that name the rows; the last one may be cut. */
  readonly names: readonly TextColumn[]
  readonly datasets: readonly TextColumn[]
  readonly last: readonly TextColumn[]
}

/** Columns of datasets that do not fit beside the last ones stand in blocks below. */
export function inBlocks(width: number, { names, datasets, last }: Columns): string[] {
  const sum = (columns: readonly TextColumn[]) =>
    columns.reduce((all, { cells }) => all + widest(cells) + 2, 0)
  // A dataset's numbers are never cut, only its name.
  const narrowest = datasets.map(({ cells }) => Math.max(NARROWEST, widest(cells.slice(1))))
  const taken = sum(last) + sum(names.slice(0, -1))
  const others = narrowest.reduce((all, own) => all + own + 2, taken)
  const name = names[names.length - 1]
  const own = Math.min(widest(name.cells), Math.max(NAME_COLUMN, width - others))
  const named = [...names.slice(0, -1), { ...name, width: own }]
  const blocks = [{ held: [] as number[], room: width - own - taken }]
  for (const [dataset, narrow] of narrowest.entries()) {
    if (blocks[blocks.length - 1].room < narrow + 2 && dataset > 0)
      blocks.push({ held: [], room: width - own - sum(names.slice(0, -1)) })
    const block = blocks[blocks.length - 1]
    block.room -= narrow + 2
    block.held.push(dataset)
  }
  return blocks.flatMap(({ held, room }, at) => {
    // The remaining width is shared by the names of the datasets.
    const spare = Math.max(0, Math.floor(room / Math.max(1, held.length)))
    const shown = held.map((dataset) => ({
      ...datasets[dataset],
      width: Math.max(
        narrowest[dataset],
        Math.min(datasets[dataset].cells[0].length, narrowest[dataset] + spare),
      ),
    }))
    return at === 0 ? sideBySide([...named, ...shown, ...last]) : ['', ...sideBySide([...named, ...shown])]
  })
}
