import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { defineReader, Unreadable } from '../reader.ts'

/** Characters a page below which a PDF counts as scanned pages. */
const FEW = 10

/** A word cut at the end of a line. A hyphen may also be the word's own, so that the parts are not joined. */
const CUT = /\p{Ll}[-\u2010]\n\p{Ll}/u

/** PDF: the text of its pages, with the offset at which each begins. */
export const pdf = defineReader({
  name: 'pdf',
  version: 2,
  async read(bytes) {
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error: Error) => {
      throw error.name === 'PasswordException'
        ? new Unreadable('encrypted PDF')
        : new Unreadable('damaged PDF')
    })
    const { text: found } = await extractText(document)
    const pages = found.map((page) => page.replace(/(?<![ \t])[ \t]+\n/g, '\n').trim())
    const characters = pages.reduce((sum, page) => sum + page.length, 0)
    if (characters < FEW * pages.length) throw new Unreadable('PDF of scanned pages without text')
    let text = ''
    const starts = pages.map((page) => {
      const start = text.length
      text += `${page}\n\n`
      return start
    })
    const { info } = await getMeta(document).catch(() => ({ info: {} as Record<string, unknown> }))
    const title = typeof info.Title === 'string' ? info.Title.trim() : ''
    const date = typeof info.CreationDate === 'string' ? dateOf(info.CreationDate) : undefined
    return [
      {
        title: /^(?:untitled|microsoft word|.*\.\w{2,4}$)/i.test(title) ? '' : title,
        text,
        metadata: { pages: starts, ...(date && { date }) },
        ...(CUT.test(text) && {
          remarks: ['with words that a hyphen cuts at the end of a line, read as two'],
        }),
      },
    ]
  },
})

/** `D:20240131...` as 2024-01-31. */
function dateOf(text: string): string | undefined {
  const [, year, month = '01', day = '01'] = /^D:(\d{4})(\d{2})?(\d{2})?/.exec(text) ?? []
  return year && `${year}-${month}-${day}`
}
