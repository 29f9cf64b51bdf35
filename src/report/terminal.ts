import { pathToFileURL } from 'node:url'

/** Replaces control characters, which must not reach the terminal. */
export function printableText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
}

/** One line of at most 200 characters, without control characters. */
export function oneLine(text: string): string {
  const line = printableText(text.replace(/\s+/g, ' ')).replace(/ +/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

/** Breaks at spaces; a longer word stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Wraps a line; continued list items are indented. */
export function wrapItem(line: string, width: number): string[] {
  if (line === '') return ['']
  if (!line.startsWith('- ')) return wrap(line, width)
  return wrap(line.slice(2), width - 2).map((part, index) => `${index > 0 ? ' ' : '-'} ${part}`)
}

export interface Paint {
  better(text: string): string
  worse(text: string): string
  strong(text: string): string
  /** Links to a file; `path` is absolute. */
  link(text: string, path: string): string
}

const same = (text: string) => text
export const PLAIN: Paint = { better: same, worse: same, strong: same, link: same }

export const COLOURED: Paint = {
  better: (text) => `\x1b[32m${text}\x1b[0m`,
  worse: (text) => `\x1b[31m${text}\x1b[0m`,
  strong: (text) => `\x1b[1m${text}\x1b[0m`,
  link: (text, path) => `\x1b]8;;${pathToFileURL(path)}\x1b\\${text}\x1b]8;;\x1b\\`,
}

/** Cells of a column, its head first. */
export interface TextColumn {
  readonly cells: readonly string[]
  readonly left?: boolean
  /** Longer cells are cut. Default: the widest cell. */
  readonly width?: number
  /** Colours a padded cell. */
  readonly paint?: ((cell: string, row: number) => string) | undefined
}

export function widest(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(({ length }) => length))
}

export function sideBySide(columns: readonly TextColumn[]): string[] {
  const widths = columns.map(({ cells, width }) => width ?? widest(cells))
  return (columns[0]?.cells ?? []).map((_, row) =>
    columns
      .map(({ cells, left, paint = same }, column) => {
        const text = shorten(cells[row], widths[column])
        const padded = column < columns.length - 1 ? text.padEnd(widths[column]) : text
        return paint(left ? padded : text.padStart(widths[column]), row)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Folds long cells of column `at`; other columns are empty on the added lines. */
export function foldColumn(
  columns: readonly TextColumn[],
  at: number,
  width: number,
  breakLines = fold,
): TextColumn[] {
  const lines = columns[at].cells.map((cell) => (cell.length <= width ? [cell] : breakLines(cell, width)))
  const rowOf = lines.flatMap((parts, row) => parts.map(() => row))
  return columns.map((column, index) => {
    const { cells, paint } = column
    if (index === at) return { ...column, cells: lines.flat(), width }
    return {
      ...column,
      cells: lines.flatMap((parts, row) => parts.map((_, line) => (line === 0 ? cells[row] : ''))),
      ...(paint && { paint: (cell: string, line: number) => paint(cell, rowOf[line]) }),
    }
  })
}

function fold(text: string, width: number): string[] {
  const words = text.split(' ').flatMap((word) => word.match(new RegExp(`.{1,${width}}`, 'gsu')) ?? [])
  return wrap(words.join(' '), width)
}

/** Cuts in the middle: strategy in front and params at the end tell trials apart. */
function shorten(text: string, width: number): string {
  if (text.length <= width) return text
  const front = Math.ceil((width - 1) / 2)
  return `${text.slice(0, front)}…${text.slice(text.length - (width - 1 - front))}`
}
