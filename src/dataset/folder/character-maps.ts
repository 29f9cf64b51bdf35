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
  [/^EUC-/, 'euc-jp'],
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
  let number = FIRST
  const ranges = RANGES.map(([first, last]) => {
    const from = number
    number += last - first + 1
    return `beginbfrange ${hex(from)} ${hex(number - 1)} ${hex(first)} endbfrange`
  })
  const unknown = Array.from(
    { length: FIRST - 0x60 },
    (_, at) => `beginbfchar ${hex(0x60 + at)} <fffd> endbfchar`,
  )
  return ['beginbfrange <0001> <005f> <0020> endbfrange', ...unknown, ...ranges]
}

function numbersOfCodes(name: string): string[] {
  const encoding = ENCODINGS.find(([pattern]) => pattern.test(name))?.[1]
  const decoder = new TextDecoder(encoding ?? 'utf-16be')
  const codes = [...range(0x20, 0x7e), ...RANGES.flatMap(([first, last]) => range(first, last))]
  const numbers = new Map(
    codes.map((code, at) => [String.fromCharCode(code), at < 0x5f ? at + 1 : FIRST + at - 0x5f]),
  )
  const lines = [`/WMode ${name.endsWith('V') ? 1 : 0} def`]
  for (const lead of range(0, 0xff)) {
    const isLead = decoder.encoding === 'utf-16be' || decoder.decode(Uint8Array.of(lead)) === '\ufffd'
    const [first, last] = isLead ? [lead << 8, (lead << 8) + 0xff] : [lead, lead]
    const digits = isLead ? 4 : 2
    lines.push(`begincodespacerange ${hex(first, digits)} ${hex(last, digits)} endcodespacerange`)
    // Codes of other encodings get a number without a character.
    const numberOf = (code: number) =>
      encoding
        ? numbers.get(decoder.decode(Uint8Array.from(isLead ? [lead, code & 0xff] : [lead])))
        : FIRST - 1
    const row = range(first, last).map(numberOf)
    for (let at = 0; at < row.length; at++) {
      const number = row[at]
      if (number === undefined) continue
      const start = at
      while (row[at + 1] === number + at + 1 - start) at++
      lines.push(
        `begincidrange ${hex(first + start, digits)} ${hex(first + at, digits)} ${number} endcidrange`,
      )
    }
  }
  return lines
}

const hex = (code: number, digits = 4) => `<${code.toString(16).padStart(digits, '0')}>`

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
