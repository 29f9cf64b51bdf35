import TurndownService from 'turndown'
import { formulaText } from './formula.ts'

interface Page {
  querySelectorAll(selectors: string): Iterable<{
    readonly textContent: string | null
    getAttribute(name: string): string | null
    remove(): void
  }>
}

/** Name of hidden texts among the parts that are not read. */
export const HIDDEN_TEXT = 'text that the page hides (`hidden`, `display: none`)'

/** Removes the elements whose text is no part of what a reader sees in a page. Returns the number of hidden texts. */
export function removeUnseen(page: Page): number {
  for (const one of page.querySelectorAll('title,script,style,noscript,template,svg')) one.remove()
  return removeHidden(page)
}

/** Removes elements that the page hides, except tabs, which a reader opens. Returns the number of those with a text. */
export function removeHidden(page: Page): number {
  let texts = 0
  for (const one of page.querySelectorAll(
    '[hidden]:not([role=tabpanel]):not([hidden=until-found]),[style*=display],[style*=visibility]',
  )) {
    const style = one.getAttribute('style') ?? ''
    if (one.getAttribute('hidden') === null && !HIDING.test(style)) continue
    if ((one.textContent ?? '').trim() !== '') texts++
    one.remove()
  }
  return texts
}

const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i

/** Stands before each cell until its table is laid out; no page holds it. */
const CELL = '\0'
/** Most columns that one cell spans. */
const SPAN = 100

/**
 * Markdown of an HTML element: headings, lists, tables and blocks of code stay, and every other text is as a reader sees it, without
 * marks of emphasis, addresses and escapes.
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
    replacement: (content) => content,
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
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) => `${CELL}${content.trim()}\n`,
  })
  service.addRule('row', { filter: ['tr', 'thead', 'tbody', 'tfoot'], replacement: (content) => content })
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) => tableText(content, node as never),
  })
  return service
    .turndown(element.innerHTML)
    .replaceAll(CELL, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Text of superscript: `^6` behind 10; an ordinal (1st) and the mark of a note ([12]) as they are. */
export function raised(content: string, before: string): string {
  const isOrdinal = /\d\s*$/.test(before) && /^(?:st|nd|rd|th|er|re|e|de|ème|o|a)$/i.test(content)
  if (content.trim() === '' || isOrdinal || /^\W*\[|^(?:TM|SM|[®™©*†‡§°ªº])+$/.test(content)) return content
  return `^${/^[\p{L}\p{N}]+$/u.test(content) ? content : `(${content})`}`
}

/** An element as the converter gives it to its rules. */
interface Element {
  readonly nodeName: string
  readonly parentNode: Element
  readonly childNodes: ArrayLike<Element>
  readonly previousSibling: Element | null
  readonly textContent: string | null
  getAttribute(name: string): string | null
  querySelectorAll(selectors: string): ArrayLike<Element>
}

/** A table from its converted cells. A cell over several rows stands in each of them, a heading over several columns in each of these. */
function tableText(content: string, table: Element): string {
  const [caption, ...texts] = content.split(CELL)
  const cells = Array.from(table.querySelectorAll('td,th'))
  const isLayout = table.querySelectorAll('table').length > 0 || cells.length < 2
  if (isLayout || cells.length !== texts.length) return `\n\n${[caption, ...texts].join('\n\n')}\n\n`
  const rows = new Map<Element, string[]>(cells.map(({ parentNode }) => [parentNode, []]))
  const below = [...rows.values()]
  let left = 0
  for (const [at, cell] of cells.entries()) {
    const { parentNode, nodeName } = cell
    if (parentNode !== cells[at - 1]?.parentNode) {
      left = 0
      if (at > 0) below.shift()
    }
    while (below[0][left] !== undefined) left++
    const text = texts[at]
      .split('\n')
      .map((part) => part.trim())
      .filter(Boolean)
      .join(' ')
    const columns = spanOf(cell, 'colspan', SPAN)
    const isHeading =
      (nodeName === 'TH' || parentNode === cells[0].parentNode) && parentNode.childNodes.length > 1
    for (const row of below.slice(0, spanOf(cell, 'rowspan', below.length)))
      for (let column = 0; column < columns; column++)
        row[left + column] = column === 0 || isHeading ? text : ''
  }
  const width = [...rows.values()].reduce((most, row) => Math.max(most, row.length), 0)
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, column) => row[column] ?? '').join(' | ')} |`
  const [{ parentNode: first }] = cells
  const isHead =
    first.parentNode.nodeName === 'THEAD' ||
    Array.from(first.childNodes).every(({ nodeName }) => nodeName !== 'TD')
  const [head, ...body] = isHead ? rows.values() : [[], ...rows.values()]
  const lines = [line(head), line(Array(width).fill('---')), ...body.map(line)]
  return `\n\n${caption.trim()}\n\n${lines.join('\n')}\n\n`
}

function spanOf(cell: Element, name: string, most: number): number {
  const span = Math.trunc(Number(cell.getAttribute(name) ?? 1))
  return span === 0 && name === 'rowspan' ? most : Math.min(Math.max(1, span || 1), most)
}
