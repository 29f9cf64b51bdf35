import type { GoldSpan } from '../dataset/types.ts'
import { sectionsOf } from '../text/headings.ts'
import { ENGLISH_STOPWORDS } from '../text/languages.ts'
import { sentences } from '../text/sentences.ts'
import type { Document } from '../types.ts'

/** Longest gold passage that rules draw, in characters; it ends with a sentence. */
const LONGEST = 600
/** Shortest gold passage in words: fewer say little. */
const FEWEST_WORDS = 6

const IMAGE = /!\[[^[\]]*\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g

interface Paragraph {
  readonly start: number
  readonly end: number
}

export interface Section {
  readonly path: readonly string[]
  readonly paragraphs: readonly Paragraph[]
}

export function sectionsWithParagraphs({ text }: Document): Section[] {
  return sectionsOf(text).map(({ path, start, end }) => {
    const line = text.indexOf('\n', start)
    const begin = path.length === 0 ? start : line < 0 || line > end ? end : line + 1
    return { path: path.map(plain), paragraphs: paragraphsIn(text, begin, end) }
  })
}

function paragraphsIn(text: string, begin: number, end: number): Paragraph[] {
  const paragraphs: Paragraph[] = []
  for (const { 0: part, index } of text
    .slice(begin, end)
    .matchAll(/(?<![^\n])(?:[^\S\n]*\S[^\n]*(?:\n|$))+/g)) {
    const lead = part.length - part.trimStart().length
    paragraphs.push({ start: begin + index + lead, end: begin + index + part.trimEnd().length })
  }
  return paragraphs
}

/** Gold from a range: its first sentences up to a length; undefined if it has too few words, or without the list it introduces. */
export function goldFrom(
  { id, text }: Document,
  { start, end }: Paragraph,
  longest = LONGEST,
): GoldSpan | undefined {
  const whole = text.slice(start, end)
  const cut =
    whole.length <= longest
      ? whole.length
      : sentences(whole).findLast((sentence) => sentence.end <= longest)?.end
  const gold = { documentId: id, start, end: start + (cut ?? longest) }
  const quote = text.slice(gold.start, gold.end)
  const isOpen = quote.endsWith(':') || (gold.end < end && /:\s*\n/.test(quote))
  return isOpen || wordsOf(plain(quote.replace(IMAGE, ''))).length < FEWEST_WORDS ? undefined : gold
}

/** Name without marks of Markdown. */
export function plain(name: string): string {
  return (
    name
      .replace(
        /!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)|!?(?<![\p{L}\p{N}_])\[([^[\]]*)\]\[[^[\]]*\]/gu,
        '$1$2',
      )
      // Code, an escaped sign and other backslashes stay. An underscore within a word, as in read_file, is no mark.
      .replace(
        /(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])|<[^<>]+>|\*+(?=\S)|(?<=\S)\*+|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu,
        (_, _fence, code = '', escaped = '') => code + escaped,
      )
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** A name within a sentence: `Depth of water` in lower case; names in capitals stay. */
export function lowerCase(name: string): string {
  return /^\p{Lu}\p{Ll}+(?: [\p{Ll}\d-]+)*$/u.test(name) ? name.toLowerCase() : name
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

const STOPWORDS: ReadonlySet<string> = new Set([
  ...ENGLISH_STOPWORDS,
  ...'about can does has have its say said should they you your'.split(' '),
])

/** Words that are no function words. */
export function contentWords(text: string): string[] {
  return wordsOf(text).filter((word) => !STOPWORDS.has(word))
}

/** Spelling under which two names are the same. */
export function nameKey(name: string): string {
  return wordsOf(name).join(' ')
}
