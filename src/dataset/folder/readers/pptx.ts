import { coreProperties, unzipped, xmlOf } from '../office.ts'
import { defineReader, Unreadable } from '../reader.ts'

/** PowerPoint presentations (.pptx): each slide is a section below its title, with its notes. */
export const pptx = defineReader({
  name: 'pptx',
  version: 1,
  read(bytes) {
    const files = unzipped(bytes, 'presentation')
    const numbers = Object.keys(files)
      .flatMap((path) => /^ppt\/slides\/slide(\d+)\.xml$/.exec(path)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
    if (numbers.length === 0) throw new Unreadable('damaged presentation')
    let text = ''
    const pages: number[] = []
    for (const number of numbers) {
      const [title, ...lines] = paragraphsOf(files, `ppt/slides/slide${number}.xml`)
      const notes = paragraphsOf(files, `ppt/notesSlides/notesSlide${number}.xml`).filter(
        (line) => !/^\d+$/.test(line),
      )
      pages.push(text.length)
      text += `${[`## ${title ?? `Slide ${number}`}`, ...lines, ...notes].join('\n\n')}\n\n`
    }
    if (text.replace(/## Slide \d+/g, '').trim() === '') throw new Unreadable('presentation without text')
    const { title, metadata } = coreProperties(files)
    return [
      {
        title: /^PowerPoint Presentation$/i.test(title) ? '' : title,
        text,
        metadata: { ...metadata, pages },
      },
    ]
  },
})

/** Paragraphs of a slide, its title first. */
function paragraphsOf(files: Readonly<Record<string, Uint8Array>>, path: string): string[] {
  const slide = xmlOf(files, path)
  if (!slide) return []
  const shapes = [...slide.getElementsByTagName('p:sp')].map((shape) => ({
    isTitle: /^(?:ctrT|t)itle$/.test(shape.getElementsByTagName('p:ph')[0]?.getAttribute('type') ?? ''),
    lines: [...shape.getElementsByTagName('a:p')]
      .map((paragraph) =>
        [...paragraph.getElementsByTagName('a:t')]
          .map((run) => run.textContent ?? '')
          .join('')
          .trim(),
      )
      .filter((line) => line !== ''),
  }))
  const tables = [...slide.getElementsByTagName('a:tr')].map((row) =>
    [...row.getElementsByTagName('a:tc')]
      .map((cell) =>
        [...cell.getElementsByTagName('a:t')]
          .map((run) => run.textContent ?? '')
          .join(' ')
          .trim(),
      )
      .join(' | '),
  )
  return [...shapes.filter(({ isTitle }) => isTitle), ...shapes.filter(({ isTitle }) => !isTitle)]
    .flatMap(({ lines }) => lines)
    .concat(tables)
}
