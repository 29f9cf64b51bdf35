import { raisedInLatex } from '../statistics/letters.ts'

/** A table of texts, as papers and READMEs print it; numbers stand in all columns but the first. */
export interface TextTable {
  readonly head: readonly string[]
  /** Rows under a title of their own; '' for none. */
  readonly parts: readonly { readonly title: string; readonly rows: readonly (readonly string[])[] }[]
  readonly caption: string
}

export function markdownTable({ head, parts, caption }: TextTable): string {
  // Markup in a name stays a name: what Markdown or HTML would read is escaped.
  const plain = (text: string) => text.replace(/[\\`*_{}[\]<>|#~&]/g, '\\$&').replace(/\s+/g, ' ')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const tables = parts.flatMap(({ title, rows }) => [
    ...(title ? [`### ${title}`, ''] : []),
    line(head.map(plain)),
    line(head.map((_, column) => (column === 0 ? '---' : '--:'))),
    ...rows.map((cells) => line(cells.map((text, column) => (column === 0 ? plain(text) : text)))),
    '',
  ])
  return `${[...tables, plain(caption)].join('\n')}\n`
}

export function latexTable({ head, parts, caption }: TextTable): string {
  return `${[
    '\\begin{table}',
    `  \\caption{${latex(caption)}}`,
    ...latexTabular(head, parts).map((line) => `  ${line}`),
    '\\end{table}',
  ].join('\n')}\n`
}

/** The lines of a tabular with booktabs' rules. */
export function latexTabular(head: TextTable['head'], parts: TextTable['parts']): string[] {
  const line = (cells: readonly string[]) => `  ${cells.map(latex).join(' & ')} \\\\`
  const titled = (title: string) =>
    title ? [`  \\multicolumn{${head.length}}{l}{\\textit{${latex(title)}}} \\\\`, '  \\midrule'] : []
  return [
    `\\begin{tabular}{l${'r'.repeat(head.length - 1)}}`,
    '  \\toprule',
    line(head),
    ...parts.flatMap(({ title, rows }) => ['  \\midrule', ...titled(title), ...rows.map(line)]),
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
  '[': '{[}',
  ']': '{]}',
}

/** Any text as LaTeX prints it. In brackets of their own, [ and ] are no argument of the command before them. */
function latex(text: string): string {
  const escaped = text.replace(/[\\~^−–…[\]&%$#_{}]/g, (char) => LATEX[char] ?? `\\${char}`)
  return raisedInLatex(escaped.replace(/\s+/g, ' '))
}
