import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { markdownOf, removeHidden } from '../html-markdown.ts'
import { charsetOf, decode, type FileReader, inWords, remarksOf, Unreadable } from '../reader.ts'

/** HTML: the main content by Readability, or the whole body where that finds little. */
export const html: FileReader = {
  name: 'html',
  version: 7,
  read(bytes) {
    const { text: source, guessed } = decode(bytes, charsetOf(bytes))
    const page = documentOf(source)
    const meta = (...names: readonly string[]) =>
      names
        .map((name) =>
          page
            .querySelector(`meta[property="${name}"],meta[name="${name}"]`)
            ?.getAttribute('content')
            ?.trim(),
        )
        .find(Boolean)
    const date = meta('article:published_time', 'date', 'dcterms.date', 'article:modified_time')
    const language = page.documentElement?.getAttribute('lang') ?? ''
    const title = page.querySelector('title:not(svg title)')?.textContent ?? ''
    const hidden = removeHidden(page)
    for (const element of page.querySelectorAll('title,script,style,noscript,template,svg')) element.remove()
    const whole = markdownOf(page.body ?? page.documentElement)
    const seen = documentOf(source)
    for (const template of seen.querySelectorAll('template')) template.remove()
    removeHidden(seen)
    // Readability would leave closed tabs out.
    for (const tab of seen.querySelectorAll('[hidden]')) tab.removeAttribute('hidden')
    const article = new Readability(seen as never, { charThreshold: 200 }).parse()
    const main = article?.content
      ? markdownOf(documentOf(`<html><body>${article.content}</body></html>`).body)
      : ''
    // A page of short pieces, as a reference, has no single article.
    const text = main.length >= MAIN * whole.length ? main : whole
    if (text.trim() === '') throw new Unreadable('HTML without text')
    return [
      {
        title: (article?.title?.trim() || title).replace(/\s+/g, ' ').trim(),
        text,
        metadata: { ...(date && { date }), ...(language && { language }) },
        ...remarksOf(guessed && inWords(guessed), {
          what: 'text that the page hides (`hidden`, `display: none`)',
          count: hidden,
        }),
      },
    ]
  },
}

const MAIN = 0.25

function documentOf(source: string) {
  const isWhole = /<(?:html|body)[\s>]/i.test(source)
  return parseHTML(isWhole ? source : `<html><body>${source}</body></html>`).document
}
