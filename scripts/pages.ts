import { readFileSync, writeFileSync } from 'node:fs'

/** Tables and sentences that scripts write into pages, each between `<!-- name -->` and `<!-- end -->`. */

export const percent = (share: number | null, digits = 1) => (100 * (share ?? 0)).toFixed(digits)

/** Points with a sign; a minus is U+2212. */
export const signed = (share: number | null) =>
  `${(share ?? 0) < 0 ? '−' : '+'}${percent(Math.abs(share ?? 0))}`

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const place = (name: string) => new RegExp(`(<!-- ${name} -->\\n\\n)([\\s\\S]*?)(\\n\\n<!-- end -->)`)

/** Text of a block; empty if the page has none of this name. */
export function blockOf(page: string, name: string): string {
  return place(name).exec(page)?.[2] ?? ''
}

/** The page with other texts in its blocks. Throws an Error if it lacks one. */
export function withBlocks(page: string, blocks: Readonly<Record<string, string>>): string {
  return Object.entries(blocks).reduce((text, [name, content]) => {
    if (!place(name).test(text)) throw new Error(`the page has no place for ${name}`)
    return text.replace(place(name), (_, begin: string, _content, end: string) => begin + content + end)
  }, page)
}

export function writeBlocks(file: string, blocks: Readonly<Record<string, string>>): void {
  writeFileSync(file, withBlocks(readFileSync(file, 'utf8'), blocks))
}
