/** Column of a table of texts. */
interface TextualColumn<R> {
  readonly head: string
  /** True for texts, which are left-aligned and escaped. */
  readonly left?: boolean
  readonly text?: (row: R, index: number) => string
}

/** Texts of the cells, row by row. */
export function textRows<R>(columns: readonly TextualColumn<R>[], rows: readonly R[]): string[][] {
  return rows.map((row, index) => columns.map(({ text }) => text?.(row, index) ?? ''))
}

export function markdownTable<R>({
  columns,
  parts,
  caption,
}: {
  readonly columns: readonly TextualColumn<R>[]
  readonly parts: readonly { readonly title: string; readonly rows: readonly R[] }[]
  readonly caption: string
}): string {
  // Markup in a name stays a name: what Markdown or HTML would read is escaped.
  const plain = (text: string) => text.replace(/[\\`*_{}[\]<>|#~&]/g, '\\$&').replace(/\s+/g, ' ')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const tables = parts.flatMap(({ title, rows }) => [
    ...(title ? [`### ${title}`, ''] : []),
    line(columns.map(({ head }) => plain(head))),
    line(columns.map(({ left }) => (left ? '---' : '--:'))),
    ...textRows(columns, rows).map((cells) =>
      line(cells.map((text, column) => (columns[column].left ? plain(text) : text))),
    ),
    '',
  ])
  return `${[...tables, plain(caption)].join('\n')}\n`
}
