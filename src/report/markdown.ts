interface TextualColumn<R> {
  readonly head: string
  /** True for left-aligned, escaped texts. */
  readonly left?: boolean
  readonly text?: (row: R, index: number) => string
}

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
