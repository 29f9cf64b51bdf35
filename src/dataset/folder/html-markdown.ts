import { DOMParser } from 'linkedom'
import TurndownService from 'turndown'

interface Page {
  querySelectorAll(
    selectors: string,
  ): Iterable<{
    readonly textContent: string | null
    getAttribute(name: string): string | null
    remove(): void
  }>
}

/** Removes elements that the page hides, except tabs, which a reader opens. Returns the number of those with a text. */
export function removeHidden(page: Page): number {
  let texts = 0
  for (const element of page.querySelectorAll(
    '[hidden]:not([role=tabpanel]):not([hidden=until-found]),[style*=display],[style*=visibility]',
  )) {
    const style = element.getAttribute('style') ?? ''
    if (element.getAttribute('hidden') === null && !HIDING.test(style)) continue
    if ((element.textContent ?? '').trim() !== '') texts++
    element.remove()
  }
  return texts
}

const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i

const SPAN = 100

/**
 * Markdown of an HTML element: headings, lists, tables and code stay; other text has no marks of emphasis, addresses or escapes.
 */
export function markdownOf(element: { readonly innerHTML: string } | null | undefined): string {
  if (!element) return ''
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  })
  service.escape = (text) => text
  service.addRule('words', {
    filter: ['a', 'em', 'i', 'strong', 'b', 'code'],
    // Links of a heading to itself are no words.
    replacement: (content) => (/^[¶#§]$/.test(content) ? '' : content),
  })
  service.addRule('image', { filter: 'img', replacement: (_, node) => (node as { alt?: string }).alt ?? '' })
  service.addRule('block', {
    filter: (node) => node.nodeName === 'PRE' && node.firstChild?.nodeName !== 'CODE',
    replacement: (_, node) => `\n\n\`\`\`\n${node.textContent?.trimEnd() ?? ''}\n\`\`\`\n\n`,
  })
  service.addRule('raised', {
    filter: 'sup',
    replacement: (content, node) => raised(content, node.previousSibling?.textContent ?? ''),
  })
  service.addRule('formula', {
    filter: ['math'] as never,
    replacement: (_, node) => formulaText(node as never),
  })
  service.addRule('table', {
    // Tables with a table or heading, or of one cell, lay out a page.
    filter: (node) =>
      node.nodeName === 'TABLE' &&
      !node.querySelector('table,h1,h2,h3,h4,h5,h6') &&
      node.querySelectorAll('td,th').length > 1,
    replacement: (_, node) =>
      tableText(node as never, ({ innerHTML }) => service.turndown(innerHTML).replace(/\s+/g, ' ')),
  })
  return service
    .turndown(element.innerHTML)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Text of superscript: `^6` behind 10; an ordinal (1st) and the mark of a note ([12]) as they are. */
export function raised(content: string, before: string): string {
  const isOrdinal = /\d\s*$/.test(before) && /^(?:st|nd|rd|th|er|re|e|de|ème|o|a)$/i.test(content)
  if (content.trim() === '' || isOrdinal || /^\W*\[|^(?:TM|SM|[®™©*†‡§°ªº])+$/.test(content)) return content
  return `^${/^[\p{L}\p{N}]+$/u.test(content) ? content : `(${content})`}`
}

interface Element {
  readonly nodeName: string
  readonly innerHTML: string
  readonly textContent: string | null
  readonly parentNode: Element
  readonly childNodes: ArrayLike<Element>
  getAttribute(name: string): string | null
  querySelectorAll(selectors: string): ArrayLike<Element>
}

/** A table. A cell over several rows stands in each of them, a heading over several columns in each of these. */
function tableText(table: Element, textOf: (cell: Element) => string): string {
  const rows = Array.from(table.querySelectorAll('tr'))
  const grid = rows.map((): string[] => [])
  const cellsOf = (row: Element) =>
    Array.from(row.childNodes).filter(({ nodeName }) => /^T[DH]$/.test(nodeName))
  for (const [at, row] of rows.entries()) {
    const cells = cellsOf(row)
    for (const cell of cells) {
      const free = Array.from(grid[at]).indexOf(undefined as never)
      const left = free < 0 ? grid[at].length : free
      const span = (name: string) => Math.min(Number(cell.getAttribute(name)) || 1, SPAN)
      const [text, columns] = [textOf(cell), span('colspan')]
      const isHeading = cell.nodeName === 'TH' || (at === 0 && cells.length > 1)
      for (const line of grid.slice(at, at + span('rowspan')))
        for (let column = 0; column < columns; column++)
          line[left + column] = column === 0 || isHeading ? text : ''
    }
  }
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0)
  const [first] = rows
  const isHead =
    first.parentNode.nodeName === 'THEAD' || cellsOf(first).every(({ nodeName }) => nodeName === 'TH')
  const [head, ...body] = isHead ? grid : [[], ...grid]
  const lines = [head, Array(width).fill('---'), ...body].map(
    (row) => `| ${Array.from({ length: width }, (_, column) => row[column] ?? '').join(' | ')} |`,
  )
  return `\n\n${table.querySelectorAll('caption')[0]?.textContent?.trim() ?? ''}\n\n${lines.join('\n')}\n\n`
}

interface FormulaNode {
  readonly nodeName: string
  readonly textContent: string | null
  readonly childNodes: ArrayLike<FormulaNode>
  getAttribute?(name: string): string | null
}

/** Text of a form of MathML or of Office (OMML) from the texts of its parts; in other forms these follow one another. */
const FORMS: Readonly<Record<string, (parts: readonly string[], signs: string) => string>> = {
  xsup: ([base, up]) => `${base}^${up}`,
  xsub: ([base, down]) => `${base}_${down}`,
  xsubsup: ([base, down, up]) => `${base}_${down}^${up}`,
  f: ([above, below]) => `${above}/${below}`,
  msqrt: (parts) => `√${grouped(parts.join(''))}`,
  rad: ([degree, base]) => `${degree}√${base}`,
  nary: ([down, up, base], signs) => `${signs || '∫'}${down && `_${down}`}${up && `^${up}`} ${base}`,
  d: (parts, signs) => `${signs[0] ?? '('}${parts.join(', ')}${signs[1] ?? ')'}`,
}

/** One line of text for a formula: `E=m^2`, `(a+b)/2`. */
function formulaText(node: FormulaNode): string {
  const name = nameOf(node)
  if (name === '#text') return node.textContent?.trim() ? node.textContent.replace(/\s+/g, ' ') : ''
  const children = Array.from(node.childNodes).filter((child) => !/^annotation/.test(nameOf(child)))
  const signs = children
    .filter((child) => nameOf(child).endsWith('pr'))
    .flatMap(({ childNodes }) => Array.from(childNodes))
    .map((property) => (/chr$/.test(nameOf(property)) ? (property.getAttribute?.('m:val') ?? '') : ''))
  const parts = children.filter((child) => !nameOf(child).endsWith('pr')).map(formulaText)
  const form = FORMS[name.replace(/^[ms](?=su[bp])/, 'x').replace('mfrac', 'f')]
  if (!form) return parts.join('')
  return form(/^(?:d|msqrt)$/.test(name) ? parts : parts.map(grouped), signs.join(''))
}

/** Office XML with each formula as a run of text in its place. */
export function withFormulas(xml: string, run: (text: string) => string): string {
  return xml
    .replace(/<\/?m:oMathPara\b[^<>]*>/g, '')
    .replace(/<m:oMath\b[^<>]*>[\s\S]*?<\/m:oMath>/g, (formula) => {
      const { documentElement } = new DOMParser().parseFromString(formula, 'text/xml')
      const text = formulaText(documentElement as unknown as FormulaNode)
      return run(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
    })
}

const nameOf = ({ nodeName }: FormulaNode) => nodeName.replace(/^\w+:/, '').toLowerCase()

const grouped = (text: string) => (/^(?:[\p{L}\p{N}.]*|.)$/u.test(text) ? text : `(${text})`)
