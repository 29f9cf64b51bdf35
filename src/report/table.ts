import type { ComponentChildren } from 'preact'
import { type CsvValue, csvTable } from '../text/csv.ts'
import { textRows } from './markdown.ts'
import type { NumberFormat } from './numbers.ts'
import { foldColumn, printableText, sideBySide, type TextColumn, widest, wrap } from './terminal.ts'

/**
 * Column for every writer: `text` for terminal, Markdown and LaTeX, `value` for CSV and sorting, `html` for the page.
 */
export interface Column<R> {
  readonly head: string
  /** Second line of the head. */
  readonly note?: string | undefined
  /** Explanation on hover. */
  readonly title?: string | undefined
  /** True for texts, which are left-aligned. */
  readonly left?: boolean
  readonly text?: (row: R, index: number) => string
  /** Exact value. */
  readonly value?: (row: R, index: number) => CsvValue
  /** Default: `text`, or the formatted value. */
  readonly html?: (row: R, index: number) => ComponentChildren
  readonly format?: NumberFormat
}

export interface Table<R> {
  readonly columns: readonly Column<R>[]
  /** '' for no title. */
  readonly parts: readonly { readonly title: string; readonly rows: readonly R[] }[]
  readonly caption: string
}

/** Minimum width of a folded last column. */
const LAST_COLUMN = 16

/** Table for the terminal with its last column folded. Empty heads are left out. */
export function terminalTable<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  {
    width = Number.POSITIVE_INFINITY,
    indent = 0,
  }: { readonly width?: number; readonly indent?: number } = {},
): string {
  const from = columns.every(({ head }) => head === '') ? 1 : 0
  const texts = columns.map((column) => {
    const text = textColumn(column, rows)
    return { ...text, cells: text.cells.slice(from) }
  })
  const last = texts.length - 1
  const free = texts.slice(0, last).reduce((all, { cells }) => all - widest(cells) - 2, width - indent)
  const folded = foldColumn(texts, last, Math.max(LAST_COLUMN, free), wrap)
  // A longer word stays whole, so that a path can be copied.
  const { width: _, ...unlimited } = folded[last]
  return sideBySide([...folded.slice(0, last), unlimited])
    .map((line) => (' '.repeat(indent) + line).trimEnd())
    .join('\n')
}

export function textColumn<R>({ head, text, left }: Column<R>, rows: readonly R[]): TextColumn {
  const cells = [head, ...rows.map((row, index) => text?.(row, index) ?? '')]
  return { cells: cells.map(printableText), left: left === true }
}

export function csvOf<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  return csvTable(
    columns.map(({ head }) => head),
    rows.map((row, index) => columns.map(({ value }) => value?.(row, index))),
  )
}

export function latexTable<R>({ columns, parts, caption }: Table<R>): string {
  return `${[
    '\\begin{table}',
    `  \\caption{${latex(caption)}}`,
    ...latexTabular({ columns, parts }).map((line) => `  ${line}`),
    '\\end{table}',
  ].join('\n')}\n`
}

export function latexTabular<R>({ columns, parts }: Pick<Table<R>, 'columns' | 'parts'>): string[] {
  const line = (cells: readonly string[]) => `  ${cells.map(latex).join(' & ')} \\\\`
  const titled = (title: string) =>
    title ? [`  \\multicolumn{${columns.length}}{l}{\\textit{${latex(title)}}} \\\\`, '  \\midrule'] : []
  return [
    `\\begin{tabular}{${columns.map(({ left }) => (left ? 'l' : 'r')).join('')}}`,
    '  \\toprule',
    line(columns.map(({ head }) => head)),
    ...parts.flatMap(({ title, rows }) => [
      '  \\midrule',
      ...titled(title),
      ...textRows(columns, rows).map(line),
    ]),
    '  \\bottomrule',
    '\\end{tabular}',
  ]
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '−': '$-$',
  '–': '--',
  '…': '\\ldots{}',
  '<': '$<$',
  '>': '$>$',
  '[': '{[}',
  ']': '{]}',
}

/** Escapes a text for LaTeX. Brackets are braced: a command before them would take them as its argument. */
function latex(text: string): string {
  const escaped = text.replace(/[\\~^−–…<>[\]&%$#_{}]/g, (char) => LATEX[char] ?? `\\${char}`)
  return escaped.replace(/\s+/g, ' ')
}

/** Minimum width of names. */
export const NAME_COLUMN = 24
const NARROWEST = 7

/** Adds optional columns while they fit; the name is folded to the remaining width. Returns the heads of the others. */
export function whatFits(
  width: number,
  [rank, name]: readonly TextColumn[],
  quality: readonly TextColumn[],
  optional: readonly TextColumn[],
): { readonly lines: string[]; readonly omitted: string[] } {
  const nameWidth = Math.min(NAME_COLUMN, widest(name.cells))
  let free = [rank, ...quality].reduce((left, { cells }) => left - widest(cells) - 2, width - nameWidth)
  const fitting = optional.filter(({ cells }) => {
    const needed = widest(cells) + 2
    if (needed > free) return false
    free -= needed
    return true
  })
  const named = Math.min(widest(name.cells), nameWidth + Math.max(free, 0))
  return {
    lines: sideBySide(foldColumn([rank, name, ...quality, ...fitting], 1, named)),
    omitted: optional.filter((column) => !fitting.includes(column)).map(({ cells }) => cells[0]),
  }
}

interface BlockColumns {
  /** The last one may be folded. */
  readonly names: readonly TextColumn[]
  readonly datasets: readonly TextColumn[]
  readonly last: readonly TextColumn[]
}

/** Puts dataset columns that do not fit next to the last ones into blocks below. */
export function inBlocks(width: number, { names, datasets, last }: BlockColumns): string[] {
  const sum = (columns: readonly TextColumn[]) =>
    columns.reduce((all, { cells }) => all + widest(cells) + 2, 0)
  const narrowest = datasets.map(({ cells }) => Math.max(NARROWEST, widest(cells.slice(1))))
  const used = sum(last) + sum(names.slice(0, -1))
  const others = narrowest.reduce((all, columnWidth) => all + columnWidth + 2, used)
  const name = names[names.length - 1]
  const nameWidth = Math.min(widest(name.cells), Math.max(NAME_COLUMN, width - others))
  const folded = (columns: readonly TextColumn[]) =>
    sideBySide(foldColumn([...names, ...columns], names.length - 1, nameWidth))
  const blocks = [{ members: [] as number[], free: width - nameWidth - used }]
  for (const [dataset, narrow] of narrowest.entries()) {
    if (blocks[blocks.length - 1].free < narrow + 2 && dataset > 0)
      blocks.push({ members: [], free: width - nameWidth - sum(names.slice(0, -1)) })
    const block = blocks[blocks.length - 1]
    block.free -= narrow + 2
    block.members.push(dataset)
  }
  return blocks.flatMap(({ members, free }, at) => {
    const spare = Math.max(0, Math.floor(free / Math.max(1, members.length)))
    const shown = members.map((dataset) => ({
      ...datasets[dataset],
      width: Math.max(
        narrowest[dataset],
        Math.min(datasets[dataset].cells[0].length, narrowest[dataset] + spare),
      ),
    }))
    return at === 0 ? folded([...shown, ...last]) : ['', ...folded(shown)]
  })
}
