import { withoutInvisible } from './characters.ts'
import { foldText, foldToken } from './fold.ts'
import { LANGUAGES, stemmerOf, stopwordsOf } from './languages.ts'
import { cutUnspaced, ngrams, type Script, scriptOf, UNSPACED, UNSPACED_CHARACTERS } from './scripts.ts'

/**
 * Lexical terms of a text: tokens of NFKC in lower case, without stop words, stemmed by Snowball, by the language of each token's
 * script. N-grams are neither stemmed nor left out.
 */
export type Analyzer = (text: string) => string[]

export const TOKENIZERS = ['auto', 'words', 'segmenter', 'ngrams', 'whitespace'] as const

export interface TextProfile {
  readonly tokenizer: { readonly name: (typeof TOKENIZERS)[number]; readonly n?: number }
  readonly scripts: readonly Script[]
  /** The language of each script that has one with stop words or a stemmer. */
  readonly languages: Readonly<Partial<Record<Script, string>>>
  readonly stemmer?: boolean | undefined
  readonly stopwords?: boolean | undefined
}

export const ENGLISH: TextProfile = {
  tokenizer: { name: 'words' },
  scripts: ['Latin'],
  languages: { Latin: 'english' },
}

/** Makes an analyzer; it remembers the term of every token it has seen, so keep one for a whole corpus. */
export function createAnalyzer(profile: TextProfile = ENGLISH): Analyzer {
  const tokens = createTokenizer(profile)
  if (profile.tokenizer.name === 'ngrams') return tokens
  const inAll = isEnglish(profile) ? profile.languages.Latin : undefined
  const languageOf = (token: string) => inAll ?? profile.languages[scriptOf(token) ?? 'Latin']
  const stems = new Map<string, (token: string) => string>()
  const stem = (token: string): string => {
    const language = languageOf(token)
    if (profile.stemmer === false || language === undefined || !LANGUAGES[language].stemmer) return token
    let stem = stems.get(language)
    if (!stem) {
      stem = stemmerOf(language)
      stems.set(language, stem)
    }
    // The Czech stemmer leaves nothing of a single letter.
    return stem(token) || token
  }
  // A token's term, or '' for a stop word: one look-up a token.
  const left = profile.stopwords === false ? [] : stopTokens(profile)
  const terms = new Map<string, string>(left.map((word) => [word, '']))
  return (text) => {
    const kept: string[] = []
    for (const token of tokens(text)) {
      let term = terms.get(token)
      if (term === undefined) {
        term = stem(token)
        terms.set(token, term)
      }
      if (term !== '') kept.push(term)
    }
    return kept
  }
}

/** Terms in addition to the words of a text: its names with signs, and words with a zero-width non-joiner as one. */
export function createNameAnalyzer(profile: TextProfile, words: Analyzer): Analyzer {
  return (text) => {
    const visible = withoutInvisible(text).normalize('NFKC')
    const joined = (visible.match(NON_JOINED) ?? []).map((word) => word.replaceAll('\u200c', ''))
    const names = signedNames(visible)
    return [...joined, ...names].flatMap((name) =>
      SIGN.test(name) ? [foldText(name, profile.languages)] : words(name),
    )
  }
}

/** Words of the Arabic script with zero-width non-joiners, which many write without: کتاب‌خانه and کتابخانه. */
const NON_JOINED = /(?<![\p{L}\p{M}])[\p{L}\p{M}]+(?:\u200c[\p{L}\p{M}]+)+/gu

const SIGN = /[^\p{L}\p{N}\p{M}]/u

/** The stop words as tokens; what is several tokens is none of them. */
export function stopTokens(profile: TextProfile): readonly string[] {
  const tokens = createTokenizer({ ...profile, tokenizer: { name: 'words' } })
  return Object.values(profile.languages).flatMap((language) =>
    stopwordsOf(language).flatMap((word) => {
      const split = tokens(word)
      return split.length === 1 ? split : []
    }),
  )
}

/** Tokens of a text in order, one tokenizer for all that reads words. */
export function createTokenizer(profile: TextProfile): (text: string) => string[] {
  const { tokenizer, scripts, languages } = profile
  const { name, n = 2 } = tokenizer
  const words = (text: string) =>
    foldText(withoutInvisible(text).normalize('NFKC'), languages).match(RUN) ?? []
  const folded = (token: string) => {
    const script = scriptOf(token)
    return foldToken(token, script, script && languages[script])
  }
  switch (name) {
    case 'ngrams':
      return (text) => words(text).flatMap((word) => ngrams(folded(word), n))
    case 'whitespace':
      return (text) => lower(text).split(/\s+/u).filter(Boolean).map(folded)
    case 'segmenter': {
      const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
      return (text) =>
        Array.from(segmenter.segment(lower(text)), ({ segment, isWordLike }) => (isWordLike ? segment : ''))
          .filter(Boolean)
          .map(folded)
    }
    default:
      if (isEnglish(profile)) return tokenize
      return name === 'words' || !scripts.some((script) => script in UNSPACED)
        ? (text) => words(text).map(folded)
        : (text) => words(text).flatMap((word) => cutUnspaced(folded(word)))
  }
}

function isEnglish({ scripts, languages }: TextProfile): boolean {
  return (
    scripts.every((script) => script === 'Latin') &&
    Object.values(languages).every((language) => language === 'english')
  )
}

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const TOKEN = /[\p{L}\p{N}]+/gu

/** The plain tokens of a text in order: NFKC, lower case, runs of letters and digits. */
export function tokenize(text: string): string[] {
  return lower(text).match(TOKEN) ?? []
}

function lower(text: string): string {
  return withoutInvisible(text).normalize('NFKC').toLowerCase()
}

/** Text of a passage that is indexed and embedded: title, newline, text; only one of them if the other is empty. */
export function titledText({ title, text }: { readonly title: string; readonly text: string }): string {
  if (title === '') return text
  return text === '' ? title : `${title}\n${text}`
}

/**
 * Spellings of the names with signs in a text, indexed with its words. Words joined by -, & or / are a name only if one holds a digit or
 * is a single letter.
 *
 *     C++, C#, .NET, v1.2.3              whole        1,234.50      1234.50
 *     GPT-4o, foo_bar, Node.js, AT&T     joined       getUserById   its parts
 */
function signedNames(text: string): string[] {
  const names: string[] = []
  for (const piece of text.split(/\s+/)) {
    if (PLAIN.test(piece)) continue
    for (const name of piece.match(NAME) ?? [])
      names.push(...spellings(name), ...name.split(SIGNS).flatMap(partsOf))
  }
  return names
}

/** A word or number without signs inside, perhaps quoted: most of any text, for which `NAME` is slow. */
const PLAIN = /^["'(]{0,2}[A-Za-z]?[a-z0-9]*[.,;:!?"')]*$/

const L = `[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED_CHARACTERS}]]`
/** Letters and digits joined by one of . _ - & / (numbers also by commas), or with ++, # or + behind, or with a dot before. */
const NAME = new RegExp(`(?<!${L})\\.?${L}+(?:[._&\\/\\-]${L}+|,\\p{Nd}+)*(?:\\+\\+|[#+])?(?!${L})`, 'gv')
const SIGNS = /[._&/,#+-]+/
/** A capital behind a small letter, or before one behind a capital: getUserById, LightRAG, HTTPServer. */
const CAMEL = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
/** Capitals, perhaps a plural (APIs), or a word. */
const PARTS = /\p{Lu}+s?(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu

function spellings(name: string): string[] {
  if (!SIGNS.test(name)) return []
  if (/^\p{Nd}[\p{Nd},]*(?:\.\p{Nd}+)?$/u.test(name)) return [name.replaceAll(',', '')]
  if (/^\.|[#+]$|\p{Nd}\.\p{Nd}/u.test(name)) return [name]
  const named = /[._]|\p{N}|(?<![\p{L}\p{M}])\p{L}(?![\p{L}\p{M}])/u.test(name)
  return named ? [name.replace(/[._&/,-]/g, '')] : []
}

function partsOf(name: string): string[] {
  if (!CAMEL.test(name) || /\p{N}/u.test(name)) return []
  const parts = name.match(PARTS) ?? []
  return parts.length > 1 && parts.every(({ length }) => length > 1) ? parts : []
}
