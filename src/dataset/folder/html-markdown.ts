import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'

interface Page {
  querySelectorAll(selectors: string): Iterable<{
    readonly textContent: string | null
    getAttribute(name: string): string | null
    remove(): void
  }>
}

/** Removes the elements whose text is no part of what a reader sees in a page. */
export function removeUnseen(page: Page): void {
  for (const one of page.querySelectorAll('title,script,style,noscript,template,svg')) one.remove()
  removeHidden(page)
}

/** Removes elements that the page hides, except tabs, which a reader opens. True if one of them had a text. */
export function removeHidden(page: Page): boolean {
  let isText = false
  for (const one of page.querySelectorAll(
    '[hidden]:not([role=tabpanel]):not([hidden=until-found]),[style*=display],[style*=visibility]',
  )) {
    const style = one.getAttribute('style') ?? ''
    if (one.getAttribute('hidden') === null && !HIDING.test(style)) continue
    isText ||= (one.textContent ?? '').trim() !== ''
    one.remove()
  }
  return isText
}

const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i

/** Markdown of an HTML element: headings, lists, tables and code stay; images and links keep their words only. */
export function markdownOf(element: { readonly innerHTML: string } | null | undefined): string {
  if (!element) return ''
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  })
  service.use(gfm)
  service.addRule('link', { filter: 'a', replacement: (content) => content })
  service.addRule('image', { filter: 'img', replacement: (_, node) => (node as { alt?: string }).alt ?? '' })
  return service
    .turndown(element.innerHTML)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
