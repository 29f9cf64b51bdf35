import { parseHTML } from 'linkedom'
import mammoth from 'mammoth'
import { markdownOf, withFormulas } from '../html-markdown.ts'
import { coreProperties, textOf, unreadOffice, unzipped, zipped } from '../office.ts'
import { type FileReader, remarksOf, Unreadable } from '../reader.ts'

export const docx: FileReader = {
  name: 'docx',
  version: 3,
  async read(bytes) {
    const files = unzipped(bytes, 'Word document')
    if (!files['word/document.xml']) throw new Unreadable('damaged Word document')
    const xmlOf = (path: string) => textOf(files, `word/${path}.xml`)
    // The library knows no hidden text, but leaves out a highlight if told to.
    const marked = ['document', 'footnotes', 'endnotes'].map((path) => {
      const xml = withFormulas(xmlOf(path), (text) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`)
      return [`word/${path}.xml`, Buffer.from(xml.replace(HIDDEN, '<w:highlight w:val="hidden"/>'))] as const
    })
    const { value } = await mammoth
      .convertToHtml(
        { buffer: zipped({ ...files, ...Object.fromEntries(marked.filter(([path]) => files[path])) }) },
        {
          ignoreEmptyParagraphs: true,
          convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
          styleMap: "highlight[color='hidden'] => !",
        },
      )
      .catch(() => {
        throw new Unreadable('damaged Word document')
      })
    const text = markdownOf(parseHTML(`<html><body>${value}</body></html>`).document.body)
    if (text.trim() === '') throw new Unreadable('Word document without text')
    return [
      {
        text,
        ...coreProperties(files),
        ...remarksOf(
          { what: 'hidden text', count: xmlOf('document').match(HIDDEN_RUN)?.length ?? 0 },
          ...unreadOffice(files),
        ),
      },
    ]
  },
}

const HIDDEN = /<w:vanish(?:\s+w:val="(?:1|true|on)")?\s*\/>/g
const HIDDEN_RUN = new RegExp(`${HIDDEN.source}(?:(?!</w:rPr>)[^])*</w:rPr>\\s*<w:t\\b`, 'g')
