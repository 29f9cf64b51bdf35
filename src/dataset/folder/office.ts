import { zipSync } from 'fflate'
import { DOMParser } from 'linkedom'
import { xmlProblem } from '../../text/xml.ts'
import type { Json } from '../../types.ts'
import { unzip } from '../zip.ts'
import { charsetOf, decode, type Unread, Unreadable } from './reader.ts'

const UNPACKED = 256 * 2 ** 20

/**
 * Files of a zipped document by path, without pictures and fonts. Throws an Unreadable for one that is damaged or unpacks to too much.
 */
export function unzipped(bytes: Uint8Array, file: string): Readonly<Record<string, Uint8Array>> {
  let total = 0
  try {
    const files = unzip(bytes, (name, length) => {
      total += length
      if (total > UNPACKED) throw new Unreadable(`${file} that unpacks to more than 256 MB`)
      return !/\.(?:png|jpe?g|gif|emf|wmf|bmp|tiff?|mp4|wav|ttf|otf|woff2?)$/i.test(name)
    })
    const isBroken = (name: string) => XML.test(name) && xmlProblem(textOf(files, name)) !== undefined
    if (Object.keys(files).some(isBroken)) throw new Unreadable(`damaged ${file}`)
    return files
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(
      bytes[0] === 0xd0 && bytes[1] === 0xcf ? `encrypted or old ${file}` : `damaged ${file}`,
    )
  }
}

/** XML that readers read; templates may hold other files. */
const XML = /^(?!customXml\/).*\.(?:xml|rels)$/i

/** The files as a zip, for a library that opens only zips: no more bytes than `unzipped` gave. */
export function zipped(files: Readonly<Record<string, Uint8Array>>): Buffer {
  return Buffer.from(zipSync(files, { level: 0 }))
}

interface XmlElement {
  readonly textContent: string | null
  readonly parentNode: XmlElement
  getAttribute(name: string): string | null
  getElementsByTagName(tag: string): readonly XmlElement[]
}

/** Text of a file of a zipped document in its declared encoding; '' if it is not there. */
export function textOf(files: Readonly<Record<string, Uint8Array>>, path: string): string {
  const bytes = files[path] ?? new Uint8Array()
  try {
    return decode(bytes, charsetOf(bytes)).text
  } catch {
    // The parser says that it is damaged.
    return new TextDecoder().decode(bytes)
  }
}

const PARTS: readonly (readonly [what: string, path: RegExp, mark: RegExp])[] = [
  ['comments', /\/comments?\d*(?:\/[^/]+)?\.xml$/, /<(?:\w+:)?(?:comment|cm)\b/g],
  ['charts and diagrams', /\/(?:charts\/chart|diagrams\/data)\d*\.xml$/, /^/g],
  [
    'paragraphs of headers and footers',
    /^word\/(?:header|footer)\d*\.xml$/,
    /<w:p\b(?:(?!<\/w:p>)[\s\S])*<w:t[ >]/g,
  ],
]

export function unreadOffice(files: Readonly<Record<string, Uint8Array>>): readonly Unread[] {
  return PARTS.map(([part, pattern, mark]) => {
    const texts = Object.keys(files).flatMap((path) => (pattern.test(path) ? [textOf(files, path)] : []))
    return { what: part, count: texts.reduce((sum, text) => sum + (text.match(mark)?.length ?? 0), 0) }
  })
}

export function xmlOf(files: Readonly<Record<string, Uint8Array>>, path: string): XmlElement | undefined {
  const bytes = files[path]
  if (!bytes) return undefined
  return new DOMParser().parseFromString(textOf(files, path), 'text/xml') as unknown as XmlElement
}

export function coreProperties(files: Readonly<Record<string, Uint8Array>>): {
  title: string
  metadata: Record<string, Json>
} {
  const core = xmlOf(files, 'docProps/core.xml')
  const value = (tag: string) => core?.getElementsByTagName(tag)[0]?.textContent?.trim() ?? ''
  const date = value('dcterms:modified') || value('dcterms:created')
  const author = value('dc:creator')
  return { title: value('dc:title'), metadata: { ...(date && { date }), ...(author && { author }) } }
}
