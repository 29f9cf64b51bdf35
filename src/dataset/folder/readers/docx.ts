import { parseHTML } from 'linkedom'
import mammoth from 'mammoth'
import { markdownOf } from '../html-markdown.ts'
import { coreProperties, unzipped, zipped } from '../office.ts'
import { defineReader, Unreadable } from '../reader.ts'

/** Word documents (.docx): headings, lists and tables. */
export const docx = defineReader({
  name: 'docx',
  version: 1,
  async read(bytes) {
    const files = unzipped(bytes, 'Word document')
    if (!files['word/document.xml']) throw new Unreadable('damaged Word document')
    const { value } = await mammoth
      .convertToHtml(
        { buffer: zipped(files) },
        { ignoreEmptyParagraphs: true, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
      )
      .catch(() => {
        throw new Unreadable('damaged Word document')
      })
    const text = markdownOf(parseHTML(`<html><body>${value}</body></html>`).document.body)
    if (text.trim() === '') throw new Unreadable('Word document without text')
    return [{ text, ...coreProperties(files) }]
  },
})
