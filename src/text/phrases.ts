import { UNSPACED_CHARACTERS } from './scripts.ts'

/** Finding whole words and phrases in running text. */

/**
 * Matches any of the phrases as whole words, the longest first; as written, or in any case; in scripts without spaces
 * anywhere. Phrases are no patterns.
 */
export function phrasePattern(phrases: readonly string[], anyCase: boolean): RegExp {
  const longest = [...phrases].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const alternatives = (begins: boolean) =>
    longest
      .filter((phrase) => BEGINS_UNSPACED.test(phrase) === begins)
      .map((phrase) => `${escaped(phrase)}${ENDS_UNSPACED.test(phrase) ? '' : `(?!${SPACED})`}`)
      .join('|')
  const [spaced, unspaced] = [alternatives(false), alternatives(true)]
  // Nothing matches where there is no phrase.
  const ways = [spaced && `(?<!${SPACED})(?:${spaced})`, unspaced].filter(Boolean).join('|') || '(?!)'
  return new RegExp(ways, anyCase ? 'giu' : 'gu')
}

function escaped(phrase: string): string {
  return phrase.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')
}

/** A letter, mark or digit of a script that puts spaces between words: a word must end only next to such a character. */
const SPACED = `(?![${UNSPACED_CHARACTERS}])[\\p{L}\\p{M}\\p{N}]`
const BEGINS_UNSPACED = new RegExp(`^[${UNSPACED_CHARACTERS}]`, 'u')
const ENDS_UNSPACED = new RegExp(`[${UNSPACED_CHARACTERS}]$`, 'u')

/** Lookup key of a phrase: lower case, white space as single spaces. */
export function phraseKey(phrase: string): string {
  return phrase.trim().toLowerCase().replace(/\s+/g, ' ')
}
