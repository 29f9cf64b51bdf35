import { getDocumentProxy, getMeta } from 'unpdf'
import { type FileReader, remarksOf, Unreadable } from '../reader.ts'

/** Characters below which a page without a word has no text but its number. */
const FEW = 10

/** A hyphen may also be the word's own, so that the parts are not joined. */
const REMARKS: readonly (readonly [RegExp, string])[] = [
  [/\p{Ll}[-\u2010]\n\p{Ll}/u, 'with words that a hyphen cuts at the end of a line, read as two'],
  [
    /(?<![^\s])\p{L}(?: \p{L}){4}(?!\p{L})/u,
    'with words whose letters are set apart, read as words of one letter',
  ],
]
const COLUMNS = 'with pages of columns or tables drawn line by line, read across the columns'
/** A gap of this many heights of its line, at the same place in so many lines, parts columns. */
const GAP = 1.5
const LINES = 3

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** PDF: the text of its pages and the values of its forms, with the offset at which each page begins. */
export const pdf: FileReader = {
  name: 'pdf',
  version: 4,
  async read(bytes) {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      CMapReaderFactory: CharacterMaps,
    }).catch((error: Error) => {
      throw error.name === 'PasswordException'
        ? new Unreadable('encrypted PDF')
        : new Unreadable('damaged PDF')
    })
    const pages = []
    for (let number = 1; number <= document.numPages; number++) pages.push(await readPage(document, number))
    const blank = pages.filter((page) => page.text.length < FEW && !/\p{L}{2}/u.test(page.text)).length
    if (blank === pages.length) throw new Unreadable('PDF of scanned pages without text')
    let text = ''
    const starts = pages.map((page) => {
      const start = text.length
      text += `${page.text}\n\n`
      return start
    })
    const strange = text.match(/\ufffd/g)?.length ?? 0
    const letters = text.match(/\p{L}/gu)?.length ?? 0
    if (strange > letters) throw new Unreadable('PDF whose fonts have no map to characters')
    const { info } = await getMeta(document).catch(() => ({ info: {} as Record<string, unknown> }))
    const title = typeof info.Title === 'string' ? info.Title.trim() : ''
    const date = typeof info.CreationDate === 'string' ? dateOf(info.CreationDate) : undefined
    return [
      {
        title: /^(?:untitled|microsoft word|.*\.\w{2,4}$)/i.test(title) ? '' : title,
        text,
        metadata: { pages: starts, ...(date && { date }) },
        ...remarksOf(
          ...REMARKS.map(([pattern, remark]) => pattern.test(text) && remark),
          pages.some(({ hasColumns }) => hasColumns) && COLUMNS,
          { what: 'pages without text', count: blank, of: pages.length },
          { what: 'characters of fonts without a map to characters', count: strange, of: strange + letters },
          { what: 'notes', count: pages.reduce((sum, { notes }) => sum + notes, 0) },
        ),
      },
    ]
  },
}

interface Drawn {
  readonly str: string
  readonly hasEOL: boolean
  readonly width: number
  readonly transform: readonly number[]
}

async function readPage(document: Pdf, number: number) {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  const drawn: Drawn[] = items.filter((item: object): item is Drawn => 'str' in item)
  const lines = new Map<number, number>()
  for (const [at, { str, width, transform }] of drawn.entries()) {
    const place = drawn[at + 1]?.transform[4] ?? 0
    if (str === ' ' && width > GAP * Math.abs(transform[3])) lines.set(place, (lines.get(place) ?? 0) + 1)
  }
  const annotations: Annotation[] = await page.getAnnotations()
  const text = drawn.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join('')
  return {
    text: [text.replace(/(?<![ \t])[ \t]+\n/g, '\n').trim(), ...annotations.flatMap(filledField)]
      .join('\n')
      .trim(),
    hasColumns: Math.max(0, ...lines.values()) >= LINES,
    notes: annotations.filter(({ subtype, contentsObj }) => subtype !== 'Widget' && contentsObj?.str?.trim())
      .length,
  }
}

interface Annotation {
  readonly subtype?: string
  readonly contentsObj?: { readonly str?: string }
  readonly [key: string]: unknown
}

function filledField({ fieldName, fieldValue, alternativeText, password, ...button }: Annotation): string[] {
  const values = [fieldValue].flat().filter((value) => typeof value === 'string' && value.trim() !== '')
  // Value of a radio button, or of a box that is ticked.
  const state = button.buttonValue ?? button.exportValue
  const isOff = values.includes('Off') || (state !== undefined && !values.includes(state))
  if (values.length === 0 || isOff || password) return []
  return [`${String(alternativeText ?? '').trim() || fieldName}: ${values.join(', ')}`]
}

/** `D:20240131...` as 2024-01-31. */
function dateOf(text: string): string | undefined {
  const [, year, month = '01', day = '01'] = /^D:(\d{4})(\d{2})?(\d{2})?/.exec(text) ?? []
  return year && `${year}-${month}-${day}`
}

const RANGES = [
  [0xa0, 0x4ff],
  [0x2000, 0x27bf],
  [0x3000, 0x33ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xff00, 0xffef],
] as const
/** First number of these characters. Below, ASCII has the numbers of the fonts, which know their widths. */
const FIRST = 28_000

const ENCODINGS: readonly (readonly [RegExp, string])[] = [
  [/^Uni.*-(?:UCS2|UTF16)-/, 'utf-16be'],
  [/RKSJ/, 'shift_jis'],
  [/^GB(?!-[HV]|T)/, 'gb18030'],
  [/B5/, 'big5'],
  [/^KSC(?!-[HV])/, 'euc-kr'],
]

/**
 * Predefined character maps of PDF, which neither its files nor the library hold. A code leads to its character by the encoding that
 * the map is named after, through numbers (CIDs) above most fonts' own. A font with own numbers gives U+FFFD beyond ASCII.
 */
class CharacterMaps {
  async fetch({ name }: { readonly name: string }) {
    const lines = name.endsWith('-UCS2') ? charactersOfNumbers() : numbersOfCodes(name)
    return { cMapData: Buffer.from(lines.join('\n')), isCompressed: false }
  }
}

function charactersOfNumbers(): string[] {
  const two = (number: number) => hex([number >> 8, number & 0xff])
  const lines = ['beginbfrange <0001> <005f> <0020> endbfrange']
  for (const number of range(0x60, FIRST - 1)) lines.push(`beginbfchar ${two(number)} <fffd> endbfchar`)
  let number = FIRST
  for (const [first, last] of RANGES) {
    const end = number + last - first
    lines.push(`beginbfrange ${two(number)} ${two(end)} ${two(first)} endbfrange`)
    number = end + 1
  }
  return lines
}

function numbersOfCodes(name: string): string[] {
  const encoding = ENCODINGS.find(([pattern]) => pattern.test(name))?.[1]
  const decoder = new TextDecoder(encoding ?? 'utf-16be')
  const characters = [...range(0x20, 0x7e), ...RANGES.flatMap(([first, last]) => range(first, last))]
  const numbers = new Map(
    characters.map((code, at) => [String.fromCharCode(code), at < 0x5f ? at + 1 : FIRST + at - 0x5f]),
  )
  const lines = [`/WMode ${name.endsWith('V') ? 1 : 0} def`]
  for (const lead of range(0, 0xff)) {
    const isLead = decoder.encoding === 'utf-16be' || decoder.decode(Uint8Array.of(lead)) === '\ufffd'
    const codes = range(0, isLead ? 0xff : 0).map((trail) => (isLead ? [lead, trail] : [lead]))
    lines.push(`begincodespacerange ${hex(codes[0])} ${hex(codes[codes.length - 1])} endcodespacerange`)
    for (const code of codes) {
      // Codes of other encodings get a number without a character.
      const number = encoding ? numbers.get(decoder.decode(Uint8Array.from(code))) : FIRST - 1
      if (number !== undefined) lines.push(`begincidchar ${hex(code)} ${number} endcidchar`)
    }
  }
  return lines
}

const hex = (bytes: readonly number[]) => `<${Buffer.from(bytes).toString('hex')}>`

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
