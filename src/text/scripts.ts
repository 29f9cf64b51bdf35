/** Writing systems that are distinguished, by Unicode's names, and how those without spaces are cut. */

/** A letter in this many is where a script of a corpus begins to count. */
export const COUNTS_FROM = 1 / 1000

const NAMES = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Armenian',
  'Georgian',
  'Devanagari',
  'Bengali',
  'Gujarati',
  'Gurmukhi',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Ethiopic',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
] as const
export type Script = (typeof NAMES)[number]

const PATTERNS = NAMES.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const)
const LETTER = /\p{L}/u

export function scriptOf(token: string): Script | undefined {
  for (const character of token) {
    if (character < 'a' && character < '\u0080') continue
    if (character <= 'z') return 'Latin'
    const script = LETTER.test(character) && PATTERNS.find(([, pattern]) => pattern.test(character))
    if (script) return script[0]
  }
  return undefined
}

export function countLetters(text: string, counts: Map<Script, number>): void {
  for (const character of text) {
    const script = scriptOf(character.toLowerCase())
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1)
  }
}

/**
 * Scripts without spaces between words, or none to search by: their runs are cut into overlapping n-grams, of syllables and ideographs
 * two, of letters with their marks three.
 */
export const UNSPACED: Readonly<Partial<Record<Script, number>>> = {
  Han: 2,
  Hiragana: 2,
  Katakana: 2,
  Hangul: 2,
  Thai: 3,
  Lao: 3,
  Khmer: 3,
  Myanmar: 3,
}

export const UNSPACED_CHARACTERS =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}'

const PIECE = new RegExp(
  `[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}]+|\\p{sc=Thai}+|\\p{sc=Laoo}+|\\p{sc=Khmr}+|\\p{sc=Mymr}+|[^${UNSPACED_CHARACTERS}]+`,
  'gu',
)

export function cutUnspaced(run: string): string[] {
  return (run.match(PIECE) ?? []).flatMap((piece) => {
    const n = UNSPACED[scriptOf(piece) ?? 'Latin']
    return n === undefined ? [piece] : ngrams(piece, n)
  })
}

/** The overlapping runs of `n` characters, each with its marks; the text itself where it has no more than `n`. */
export function ngrams(text: string, n: number): string[] {
  const characters = text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []
  if (characters.length <= n) return text === '' ? [] : [text]
  return Array.from({ length: characters.length - n + 1 }, (_, at) => characters.slice(at, at + n).join(''))
}
