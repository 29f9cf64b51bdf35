/** Puts a text on the clipboard, also in a file that is no secure context. Resolves to false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

/** Rows as a Markdown table; what Markdown or HTML would read in a cell is escaped. */
export function markdownText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/[\\`*_{}[\]<>|#~&]/g, '\\$&').replace(/\s+/g, ' ')).join(' | ')} |`
  return [
    line(head),
    line(head.map((_, place) => (place === 0 ? '---' : '--:'))).replaceAll('\\', ''),
    ...rows.map(line),
    '',
  ].join('\n')
}

/** Rows as a LaTeX tabular with booktabs' rules. */
export function latexText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `  ${cells.map(escaped).join(' & ')} \\\\`
  return [
    `\\begin{tabular}{l${'r'.repeat(head.length - 1)}}`,
    '  \\toprule',
    line(head),
    '  \\midrule',
    ...rows.map(line),
    '  \\bottomrule',
    '\\end{tabular}',
    '',
  ].join('\n')
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '−': '$-$',
  '▲': '$\\blacktriangle$',
  '▼': '$\\blacktriangledown$',
  '■': '$\\blacksquare$',
  '○': '$\\circ$',
}

function escaped(text: string): string {
  return text.replace(/[\\~^−▲▼■○&%$#_{}]/g, (char) => LATEX[char] ?? `\\${char}`).replace(/\s+/g, ' ')
}
