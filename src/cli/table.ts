/** Tables for a terminal: columns two spaces apart, the widest text column wrapped where the screen ends. */
export interface TableOptions {
  /** Width of the screen. */
  readonly columns: number
  /** Spaces before every line. */
  readonly indent?: number
  /** Places of columns of numbers. */
  readonly right?: readonly number[]
  /** The place of the column that wraps; the last if not given. */
  readonly wraps?: number
}

/** The narrowest that a wrapped column becomes; then lines run over the screen's end. */
const NARROWEST = 16

/** Rows as lines, without a line end at the end. The first row may be a header. */
export function table(
  rows: readonly (readonly string[])[],
  { columns, indent = 0, right = [], wraps }: TableOptions,
): string {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, place) =>
    Math.max(0, ...rows.map((row) => (row[place] ?? '').length)),
  )
  const wrapping = wraps ?? count - 1
  const others = widths.reduce((sum, width, place) => sum + (place === wrapping ? 0 : width + 2), indent)
  if (widths[wrapping] > columns - others) widths[wrapping] = Math.max(NARROWEST, columns - others)
  return rows.map((row) => formatRow(row, widths, wrapping, right, ' '.repeat(indent))).join('\n')
}

function formatRow(
  row: readonly string[],
  widths: readonly number[],
  wrapping: number,
  right: readonly number[],
  indent: string,
): string {
  const wrapped = wrap(row[wrapping] ?? '', widths[wrapping])
  return wrapped
    .map((part, line) => {
      const cells = widths.map((width, place) => {
        const text = place === wrapping ? part : line === 0 ? (row[place] ?? '') : ''
        return right.includes(place) ? text.padStart(width) : text.padEnd(width)
      })
      return (indent + cells.join('  ')).trimEnd()
    })
    .join('\n')
}

/** Breaks text at spaces into lines of at most `width`; a longer word stands alone, unbroken. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
