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

const ENCODINGS: readonly (readonly [RegExp, string])[] = [
  [/^Uni.*-(?:UCS2|UTF16)-/, 'utf-16be'],
  [/RKSJ/, 'shift_jis'],
  [/^GB(?!-|T)/, 'gb18030'],
  [/B5/, 'big5'],
  [/^KSC(?!-[HV])/, 'euc-kr'],
  [/^EUC-/, 'euc-jp'],
]

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
/** Numbers of ASCII are those of the fonts, which know their widths. */
const [ASCII, OTHERS] = [1, 28_000]

/** Unicode by number. */
const CHARACTERS = new Map([
  ...Array.from({ length: 0x5f }, (_, at) => [ASCII + at, 0x20 + at] as const),
  ...RANGES.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at)).map(
    (code, at) => [OTHERS + at, code] as const,
  ),
])

const hex = (code: number, digits = 4) => `<${code.toString(16).padStart(digits, '0')}>`

function charactersOfNumbers(): string[] {
  const lines = []
  for (let number = ASCII; number < OTHERS; number++)
    lines.push(`beginbfchar ${hex(number)} ${hex(CHARACTERS.get(number) ?? 0xfffd)} endbfchar`)
  let number = OTHERS
  for (const [first, last] of RANGES) {
    lines.push(`beginbfrange ${hex(number)} ${hex(number + last - first)} ${hex(first)} endbfrange`)
    number += last - first + 1
  }
  return lines
}

function numbersOfCodes(name: string): string[] {
  const encoding = ENCODINGS.find(([pattern]) => pattern.test(name))?.[1]
  const decoder = new TextDecoder(encoding ?? 'utf-16be')
  const numbers = new Map([...CHARACTERS].map(([number, code]) => [String.fromCharCode(code), number]))
  const lines = [`/WMode ${name.endsWith('V') ? 1 : 0} def`]
  for (let lead = 0; lead < 0x100; lead++) {
    const isLead = decoder.encoding === 'utf-16be' || decoder.decode(Uint8Array.of(lead)) === '\ufffd'
    const digits = isLead ? 4 : 2
    const codes = isLead ? Array.from({ length: 0x100 }, (_, at) => (lead << 8) + at) : [lead]
    lines.push(
      `begincodespacerange ${hex(codes[0], digits)} ${hex(codes.at(-1) as number, digits)} endcodespacerange`,
    )
    for (const code of codes) {
      const character = decoder.decode(Uint8Array.from(isLead ? [lead, code & 0xff] : [lead]))
      // The last number below the others has no character, as the codes of other encodings.
      const number = encoding ? numbers.get(character) : OTHERS - 1
      if (number !== undefined) lines.push(`begincidchar ${hex(code, digits)} ${number} endcidchar`)
    }
  }
  return lines
}
