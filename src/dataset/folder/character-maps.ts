/** Letters and signs, kana, Chinese characters, Hangul, compatible and wide forms. */
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
 * Predefined character maps of PDF, which its files name without holding them; the library's package lacks them too. These lead a code
 * to its character by the encoding that the map is named after, through numbers (CIDs) above most of the fonts' own. A font that uses its
 * own numbers gives U+FFFD for all but ASCII.
 */
export class CharacterMaps {
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
