import { UNSPACED_CHARACTERS } from './scripts.ts'

/** Matches any of the phrases as whole words, the longest first; in scripts without spaces anywhere. */
export function phrasePattern(phrases: readonly string[], anyCase: boolean): RegExp {
  const longest = [...phrases].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const [spaced, unspaced] = [false, true].map((begins) =>
    alternatives(longest.filter((phrase) => BEGINS_UNSPACED.test(phrase) === begins)),
  )
  // Nothing matches where there is no phrase.
  const ways = [spaced && `(?<!${SPACED})(?:${spaced})`, unspaced].filter(Boolean).join('|') || '(?!)'
  return new RegExp(ways, anyCase ? 'giu' : 'gu')
}

/** Phrases in their order. Neighbours share the condition of their end, which takes a millisecond to compile. */
function alternatives(phrases: readonly string[]): string {
  const runs: { readonly isFree: boolean; readonly phrases: string[] }[] = []
  for (const phrase of phrases) {
    const isFree = ENDS_UNSPACED.test(phrase)
    const last = runs.at(-1)
    if (last?.isFree === isFree) last.phrases.push(escaped(phrase))
    else runs.push({ isFree, phrases: [escaped(phrase)] })
  }
  return runs
    .map(({ isFree, phrases }) => (isFree ? phrases.join('|') : `(?:${phrases.join('|')})(?!${SPACED})`))
    .join('|')
}

/** True for a text that contains one of the phrases, as `phrasePattern` finds them in any case. Many phrases cost little. */
export function phraseTest(phrases: readonly string[]): (text: string) => boolean {
  const tests = phrases.map(testOf)
  return (text) => tests.some((test) => test(text))
}

function testOf(phrase: string): (text: string) => boolean {
  // A phrase with blanks around it may end within several blanks: the pattern tries each.
  if (phrase.trim() !== phrase) {
    const whole = new RegExp(phrasePattern([phrase], true).source, 'iu')
    return (text) => whole.test(text)
  }
  const pattern = new RegExp(escaped(phrase), 'giu')
  const [begins, ends] = [BEGINS_UNSPACED.test(phrase), ENDS_UNSPACED.test(phrase)]
  return (text) => {
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const [start, end] = [match.index, match.index + match[0].length]
      const isFree = begins || !AFTER_WORD.test(text.slice(Math.max(0, start - 2), start))
      if (isFree && (ends || !WORD.test(text.slice(end, end + 2)))) return true
      // The next character: a phrase may overlap itself.
      pattern.lastIndex = start + ((text.codePointAt(start) as number) > 0xffff ? 2 : 1)
    }
    return false
  }
}

function escaped(phrase: string): string {
  return phrase.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')
}

/** A letter, mark or digit of a script that puts spaces between words: a word must end only next to such a character. */
const SPACED = `(?![${UNSPACED_CHARACTERS}])[\\p{L}\\p{M}\\p{N}]`
const WORD = new RegExp(`^${SPACED}`, 'u')
const AFTER_WORD = new RegExp(`${SPACED}$`, 'u')
const BEGINS_UNSPACED = new RegExp(`^[${UNSPACED_CHARACTERS}]`, 'u')
const ENDS_UNSPACED = new RegExp(`[${UNSPACED_CHARACTERS}]$`, 'u')

/** Lookup key of a phrase: lower case, white space as single spaces. */
export function phraseKey(phrase: string): string {
  return phrase.trim().toLowerCase().replace(/\s+/g, ' ')
}
