import { createRequire } from 'node:module'
import { ENGLISH_STOPWORDS } from './stopwords.ts'

/**
 * Lexical terms of a text: NFKC, lower case, maximal runs of letters and digits, without stop words, stemmed.
 *
 *     terms(text) = stem(token) for each token of /[\p{L}\p{N}]+/u in lower(NFKC(text)), token not a stop word
 *
 * Stop words are compared before stemming. Stemmer: Snowball English, "Porter2" (https://snowballstem.org).
 */
export type Analyzer = (text: string) => string[]

export const STEMMERS = ['porter2', 'none'] as const
export const STOPWORDS = ['english', 'none'] as const

export type AnalyzerParams = {
  readonly stemmer: (typeof STEMMERS)[number]
  readonly stopwords: (typeof STOPWORDS)[number]
}

const require = createRequire(import.meta.url)

/** Makes an analyzer; it remembers the stem of every token it has seen, so keep one for a whole corpus. */
export function createAnalyzer({ stemmer, stopwords }: AnalyzerParams): Analyzer {
  const { stem } = stemmer === 'porter2' ? bound(englishStemmer()) : { stem: (token: string) => token }
  // A token's term, or '' for a stop word: one look-up a token.
  const terms = new Map<string, string>(
    stopwords === 'english' ? ENGLISH_STOPWORDS.map((word) => [word, '']) : [],
  )
  return (text) => {
    const found: string[] = []
    for (const token of tokenize(text)) {
      let term = terms.get(token)
      if (term === undefined) {
        term = stem(token)
        terms.set(token, term)
      }
      if (term !== '') found.push(term)
    }
    return found
  }
}

/** Loaded where it is first needed: most of a megabyte, which looking at a finished result need not read. */
function englishStemmer() {
  const { newStemmer } = require('snowball-stemmers') as typeof import('snowball-stemmers')
  return newStemmer('english')
}

function bound(stemmer: { stem(word: string): string }) {
  return { stem: (token: string) => stemmer.stem(token) }
}

const TOKEN = /[\p{L}\p{N}]+/gu

/** The tokens of a text in order: NFKC, lower case, runs of letters and digits. */
export function tokenize(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(TOKEN) ?? []
}

/** What is indexed and embedded of a passage: title, newline, text; the one alone where the other is empty. */
export function titledText({ title, text }: { readonly title: string; readonly text: string }): string {
  if (title === '') return text
  return text === '' ? title : `${title}\n${text}`
}
