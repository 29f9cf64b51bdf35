import type { Script } from './scripts.ts'

/**
 * Spellings of one word as one, before stop words and stems; beside NFKC and lower case, which come first:
 *
 *     every script: marks that only help reading (Arabic and Hebrew vowels, a combining accent that NFKC cannot compose),
 *                   tatweel, joiners and soft hyphens go; digits are 0 to 9
 *     Greek:        without accents, final sigma as any other
 *     Devanagari:   without nukta, candrabindu as anusvara
 *     Russian:      ё as е       Romanian: ș, ț as ş, ţ (Snowball's letters)       Turkish: I is ı, İ is i
 *     Persian, Urdu: Arabic yeh and kaf as theirs
 *
 * (As Lucene's analyzers of these languages do.)
 */
export function foldText(text: string, turkish: boolean): string {
  const cased = turkish ? text.replace(/I/g, 'ı').replace(/İ/g, 'i') : text
  return cased.toLowerCase().replace(IGNORED, '').replace(DIGIT, digit)
}

/** A combining accent joins what stands around it, as other marks do; joiners and the rest are not there. */
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

/** A token's usual spelling in its script and language. */
export function foldToken(token: string, script: Script | undefined, language: string | undefined): string {
  if (script === 'Greek') return token.normalize('NFD').replace(/\p{M}/gu, '').replace(/ς/g, 'σ')
  if (script === 'Devanagari') return token.replace(/\u093c/g, '').replace(/\u0901/g, '\u0902')
  if (language === 'russian') return token.replace(/ё/g, 'е')
  if (language === 'romanian') return token.replace(/ș/g, 'ş').replace(/ț/g, 'ţ')
  if (language === 'persian' || language === 'urdu') return token.replace(/[يى]/g, 'ی').replace(/ك/g, 'ک')
  return token
}
