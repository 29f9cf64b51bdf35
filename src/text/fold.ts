import type { Script } from './scripts.ts'

/**
 * Spellings of one word as one, after NFKC and lower case, as Lucene's analyzers do (Vietnamese is ours):
 *
 *     every script: marks that only help reading, tatweel, joiners and soft hyphens go; digits are 0 to 9
 *     Greek:        without accents, final sigma as any other
 *     Devanagari:   without nukta and virama; candrabindu and a dead n as anusvara; long vowels as short ones
 *     Vietnamese:   the tone of oa, oe, uy at the end of a syllable on the first vowel (hoà as hòa)
 *     Russian:      ё as е       Romanian: ș, ț as ş, ţ (Snowball's letters)       Turkish: I is ı, İ is i
 *     Arabic, Persian, Urdu: alef without hamza and madda, teh marbuta and heh, yeh and kaf of all three as one
 *     Sorani: yeh, kaf, ae and heh of any spelling as one, ڕ at the start of a word, without zero-width non-joiners
 */
export function foldText(text: string, { Latin, Arabic }: Readonly<Partial<Record<Script, string>>>): string {
  const cased = Latin === 'turkish' ? text.replace(/I/g, 'ı').replace(/İ/g, 'i') : text
  const joined = Arabic === 'sorani' ? cased.replace(/\u0647\u200c/g, '\u06d5').replace(/\u200c/g, '') : cased
  return joined.toLowerCase().replace(IGNORED, '').replace(DIGIT, digit)
}

/** A combining accent joins the letters around it, as other marks do; joiners and other invisible characters are dropped. */
const IGNORED = /(?=\p{M})\p{Script=Inherited}|[\u00ad\u0640\u0591-\u05bd\u05bf-\u05c7\u200d]/gu

const ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0,
]
const DIGIT = new RegExp(
  `[${ZEROS.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')}]`,
  'g',
)

function digit(character: string): string {
  const code = character.charCodeAt(0)
  return String(code - Math.max(...ZEROS.filter((zero) => zero <= code)))
}

export function foldToken(token: string, script: Script | undefined, language: string | undefined): string {
  if (script === 'Greek') return token.normalize('NFD').replace(/\p{M}/gu, '').replace(/ς/g, 'σ')
  if (script === 'Devanagari') return foldDevanagari(token)
  if (language === 'vietnamese') return token.normalize('NFD').replace(TONE, '$1$3$2').normalize('NFC')
  if (language === 'russian') return token.replace(/ё/g, 'е')
  if (language === 'romanian') return token.replace(/ș/g, 'ş').replace(/ț/g, 'ţ')
  if (script === 'Arabic') return folded(token, LETTERS[language ?? ''] ?? ALIKE)
  return token
}

const TONE = /(o(?=[ae])|u(?=y))([aey])([\u0300\u0301\u0303\u0309\u0323])$/

/** Vowels by their replacement: long, short e and o, and candra vowels of loans. */
const VOWELS = Object.fromEntries(
  'अआॲ इई उऊ ऋॠ ऌॡ एऍऎऐ ओऑऒऔ िी ुू ृॄ ॢॣ ेॅॆै ोॉॊौ'
    .split(' ')
    .flatMap(([usual, ...others]) => others.map((other) => [other, usual])),
)
const VOWEL = new RegExp(`[${Object.keys(VOWELS).join('')}]`, 'g')

function foldDevanagari(token: string): string {
  return token
    .normalize('NFD')
    .replace(/\u093c/g, '')
    .replace(/\u0928\u094d|\u0901/g, '\u0902')
    .replace(/\u094d/g, '')
    .replace(VOWEL, (vowel) => VOWELS[vowel])
}

/** Letters of Arabic, Persian and Urdu that are interchangeable. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[\u0622\u0623\u0625\u0671]/g, '\u0627'],
  [/[\u0649\u06cc\u06d2]/g, '\u064a'],
  [/\u06a9/g, '\u0643'],
  [/[\u0629\u06c0\u06c1\u06c2\u06d5]/g, '\u0647'],
]

const LETTERS: Readonly<Record<string, typeof ALIKE>> = {
  // Behind an article, the stemmer removes a teh marbuta, but no heh, since nothing is both definite and possessed.
  arabic: [...ALIKE, [/(?<=^(?:[\u0648\u0641\u0628\u0643]?\u0627\u0644|\u0644\u0644)..+)\u0647$/g, '\u0629']],
  sorani: [
    [/[\u064a\u0649]/g, '\u06cc'],
    [/\u0643/g, '\u06a9'],
    [/\u0647$|\u0629/g, '\u06d5'],
    [/\u06be/g, '\u0647'],
    [/^\u0631|\u0692/g, '\u0695'],
  ],
}

function folded(token: string, letters: typeof ALIKE): string {
  return letters.reduce((text, [pattern, usual]) => text.replace(pattern, usual), token)
}
