import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'

/** Removes the elements whose text is no part of what a reader sees in a page. */
export function removeUnseen(page: {
  querySelectorAll(selectors: string): Iterable<{ remove(): void }>
}): void {
  for (const one of page.querySelectorAll('title,script,style,noscript,template,svg')) one.remove()
}

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
