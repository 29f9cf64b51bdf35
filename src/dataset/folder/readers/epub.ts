import { posix } from 'node:path'
import { parseHTML } from 'linkedom'
import { HIDDEN_TEXT, markdownOf, removeUnseen } from '../html-markdown.ts'
import { textOf, unzipped, xmlOf } from '../office.ts'
import { defineReader, remarksOf, Unreadable } from '../reader.ts'

/** EPUB books: the chapters of the spine in order. */
export const epub = defineReader({
  name: 'epub',
  version: 3,
  read(bytes) {
    const files = unzipped(bytes, 'EPUB')
    const root = xmlOf(files, 'META-INF/container.xml')
      ?.getElementsByTagName('rootfile')[0]
      ?.getAttribute('full-path')
    const book = root && xmlOf(files, root)
    if (!book) throw new Unreadable('damaged EPUB')
    if (files['META-INF/encryption.xml'] && files['META-INF/rights.xml'])
      throw new Unreadable('encrypted EPUB')
    const items = new Map(
      [...book.getElementsByTagName('item')].map((item) => [
        item.getAttribute('id'),
        item.getAttribute('href') ?? '',
      ]),
    )
    let missing = 0
    let hidden = 0
    const chapters = [...book.getElementsByTagName('itemref')].map((item) => {
      const href = items.get(item.getAttribute('idref')) ?? ''
      const path = posix.join(posix.dirname(root), decodeURIComponent(href))
      if (!files[path]) missing++
      if (!files[path]) return ''
      const { document } = parseHTML(textOf(files, path))
      hidden += removeUnseen(document)
      return markdownOf(document.body)
    })
    const text = chapters.filter((chapter) => chapter !== '').join('\n\n')
    if (text.trim() === '') throw new Unreadable('EPUB without text')
    const value = (tag: string) => book.getElementsByTagName(tag)[0]?.textContent?.trim() ?? ''
    const [date, author, language] = [value('dc:date'), value('dc:creator'), value('dc:language')]
    return [
      {
        title: value('dc:title'),
        text,
        metadata: { ...(date && { date }), ...(author && { author }), ...(language && { language }) },
        ...remarksOf(
          { what: 'chapters that the book lacks', count: missing, of: chapters.length },
          { what: HIDDEN_TEXT, count: hidden },
        ),
      },
    ]
  },
})
