import { posix } from 'node:path'
import { raised, withFormulas } from '../html-markdown.ts'
import { coreProperties, textOf, unreadOffice, unzipped, xmlOf } from '../office.ts'
import { type FileReader, remarksOf, Unreadable } from '../reader.ts'

/** PowerPoint presentations (.pptx): each slide is a section below its title, with its notes. */
export const pptx: FileReader = {
  name: 'pptx',
  version: 3,
  read(bytes) {
    const files = unzipped(bytes, 'presentation')
    const slides = slidesIn(files)
    if (slides.length === 0) throw new Unreadable('damaged presentation')
    let text = ''
    const pages: number[] = []
    for (const [at, path] of slides.entries()) {
      const [title, ...lines] = paragraphsOf(files, path)
      // Only slides with notes have a file of them, so that the numbers differ.
      const notes = relatedTo(files, path)
        .filter(({ type }) => type.endsWith('/notesSlide'))
        .flatMap((note) => paragraphsOf(files, note.path))
        .filter((line) => !/^\d+$/.test(line))
      pages.push(text.length)
      text += `${[`## ${title ?? `Slide ${at + 1}`}`, ...lines, ...notes].join('\n\n')}\n\n`
    }
    if (text.replace(/## Slide \d+/g, '').trim() === '') throw new Unreadable('presentation without text')
    const { title, metadata } = coreProperties(files)
    const isHidden = (path: string) =>
      xmlOf(files, path)?.getElementsByTagName('p:sld')[0]?.getAttribute('show') === '0'
    return [
      {
        title: /^PowerPoint Presentation$/i.test(title) ? '' : title,
        text,
        metadata: { ...metadata, pages },
        ...remarksOf(
          slides.some(isHidden) && 'with hidden slides, read as the others',
          ...unreadOffice(files),
        ),
      },
    ]
  },
}

function relatedTo(files: Readonly<Record<string, Uint8Array>>, path: string) {
  const folder = posix.dirname(path)
  const relations = xmlOf(files, posix.join(folder, '_rels', `${posix.basename(path)}.rels`))
  return [...(relations?.getElementsByTagName('Relationship') ?? [])].map((element) => {
    const target = element.getAttribute('Target') ?? ''
    return {
      id: element.getAttribute('Id') ?? '',
      type: element.getAttribute('Type') ?? '',
      path: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
    }
  })
}

/** Paths of the slides in their order, which the numbers in their names are not; by number if the presentation has no list. */
function slidesIn(files: Readonly<Record<string, Uint8Array>>): string[] {
  const main = 'ppt/presentation.xml'
  const paths = new Map(relatedTo(files, main).map(({ id, path }) => [id, path]))
  const listed = [...(xmlOf(files, main)?.getElementsByTagName('p:sldId') ?? [])]
    .map((slide) => paths.get(slide.getAttribute('r:id') ?? '') ?? '')
    .filter((path) => files[path] !== undefined)
  const numberOf = (path: string) => Number(/^ppt\/slides\/slide(\d+)\.xml$/.exec(path)?.[1] ?? Number.NaN)
  if (listed.length > 0) return listed
  return Object.keys(files)
    .filter((path) => !Number.isNaN(numberOf(path)))
    .sort((a, b) => numberOf(a) - numberOf(b))
}

/** Forms of a shape for older programs, which repeat its text. */
const FALLBACK = /<mc:Fallback\b[^<>]*(?:\/>|>(?:(?!<mc:Fallback\b)[\s\S])*?<\/mc:Fallback>)/g
const BREAK = /<a:br\b[^<>]*(?:\/>|>(?:(?!<a:br\b)[\s\S])*?<\/a:br>)/g

function paragraphsOf(files: Readonly<Record<string, Uint8Array>>, path: string): string[] {
  if (!files[path]) return []
  const text = textOf(files, path)
  const plain = withFormulas(
    text.replace(FALLBACK, '').replace(BREAK, '<a:r><a:t> </a:t></a:r>'),
    (formula) => `<a:r><a:t>${formula}</a:t></a:r>`,
  )
  const slide = xmlOf({ [path]: new TextEncoder().encode(plain) }, path)
  if (!slide) return []
  const linesIn = (element: typeof slide) =>
    [...element.getElementsByTagName('a:p')]
      .map((paragraph) =>
        [...paragraph.getElementsByTagName('a:t')]
          .reduce((line, { textContent, parentNode }) => {
            const baseline = parentNode.getElementsByTagName('a:rPr')[0]?.getAttribute('baseline')
            return line + (Number(baseline) > 0 ? raised(textContent ?? '', line) : (textContent ?? ''))
          }, '')
          .trim(),
      )
      .filter((line) => line !== '')
  const shapes = [...slide.getElementsByTagName('p:sp')].map((shape) => ({
    isTitle: /^(?:ctrT|t)itle$/.test(shape.getElementsByTagName('p:ph')[0]?.getAttribute('type') ?? ''),
    lines: linesIn(shape),
  }))
  const tables = [...slide.getElementsByTagName('a:tr')].map((row) =>
    [...row.getElementsByTagName('a:tc')].map((cell) => linesIn(cell).join(' ')).join(' | '),
  )
  return [...shapes.filter(({ isTitle }) => isTitle), ...shapes.filter(({ isTitle }) => !isTitle)]
    .flatMap(({ lines }) => lines)
    .concat(tables)
}
