import { raisedInLatex } from '../statistics/letters.ts'

/** A grid of texts with a header row as a LaTeX tabular with booktabs' rules: the first column to the left, the others to the right. */
export function latexGrid(grid: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `  ${row.map(escapeLatex).join(' & ')} \\\\`
  const [head, ...rows] = grid
  return [
    `\\begin{tabular}{l${'r'.repeat(head.length - 1)}}`,
    '  \\toprule',
    line(head),
    '  \\midrule',
    ...rows.map(line),
    '  \\bottomrule',
    '\\end{tabular}',
  ].join('\n')
}

const WORDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

function escapeLatex(text: string): string {
  const escaped = text.replace(/[\\~^&%$#_{}]/g, (char) => WORDS[char] ?? `\\${char}`)
  return raisedInLatex(escaped.replace(/\s+/g, ' '))
}
