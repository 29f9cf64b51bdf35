/** Replaces control characters, which must not reach the terminal. */
export function printableText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
}

/** Breaks text at spaces into lines of at most `width`; a longer word stands alone, unbroken. */
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

/** A column of a table: its head first. */
export interface TextColumn {
  readonly cells: readonly string[]
  /** Texts, not numbers. */
  readonly left?: boolean
  /** As wide as its widest cell if not given; longer cells are cut. */
  readonly width?: number
}

export function widest(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(({ length }) => length))
}

/** Columns side by side as lines, two spaces apart. */
export function sideBySide(columns: readonly TextColumn[]): string[] {
  const widths = columns.map(({ cells, width }) => width ?? widest(cells))
  return (columns[0]?.cells ?? []).map((_, row) =>
    columns
      .map(({ cells, left }, column) => {
        const text = shorten(cells[row], widths[column])
        return left ? text.padEnd(widths[column]) : text.padStart(widths[column])
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Cuts in the middle: the strategy in front and the params at the end both tell trials apart. */
function shorten(text: string, width: number): string {
  if (text.length <= width) return text
  const front = Math.ceil((width - 1) / 2)
  return `${text.slice(0, front)}…${text.slice(text.length - (width - 1 - front))}`
}

interface TableOptions {
  /** Width of the screen; without end if not given. */
  readonly columns?: number
  /** Spaces before every line. */
  readonly indent?: number
  /** Indices of columns of numbers. */
  readonly right?: readonly number[]
}

/** Minimum width of a wrapped column; longer lines overflow the screen. */
const NARROWEST = 16

/** Rows as one text, its last column wrapped where the screen ends. The first row may be a header. */
export function terminalTable(
  rows: readonly (readonly string[])[],
  { columns = Number.POSITIVE_INFINITY, indent = 0, right = [] }: TableOptions = {},
): string {
  const last = Math.max(0, ...rows.map(({ length }) => length)) - 1
  const others = Array.from({ length: Math.max(0, last) }, (_, column) =>
    widest(rows.map((row) => row[column] ?? '')),
  )
  const room = Math.max(
    NARROWEST,
    others.reduce((left, width) => left - width - 2, columns - indent),
  )
  const lines = rows.flatMap((row) => {
    const [first = '', ...rest] = wrap(row[last] ?? '', room)
    return [
      [...others.map((_, column) => row[column] ?? ''), first],
      ...rest.map((part) => [...others.map(() => ''), part]),
    ]
  })
  return sideBySide(
    Array.from({ length: last + 1 }, (_, column) => ({
      cells: lines.map((line) => line[column]),
      left: !right.includes(column),
    })),
  )
    .map((line) => (' '.repeat(indent) + line).trimEnd())
    .join('\n')
}
