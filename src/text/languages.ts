import { createRequire } from 'node:module'
import type { Script } from './scripts.ts'

/**
 * Language with its stop words and Snowball stemmer: `snowball-stemmers` has the older algorithms, `@orama/stemmers` newer ones.
 */
export interface Language {
  readonly code: string
  readonly script: Script
  /** The list in the package `stopword`; absent where it has none. */
  readonly list?: string
  /** The source of the Snowball stemmer; absent if the language has none. */
  readonly stemmer?: 'snowball-stemmers' | `@orama/stemmers/${string}`
  /** Articles and pronouns before an apostrophe, which separates words. */
  readonly elided?: string
}

const of = (code: string, script: Script, list?: string, more: Partial<Language> = {}): Language => ({
  code,
  script,
  list,
  ...more,
})
const SNOWBALL = { stemmer: 'snowball-stemmers' } as const

/** In order of preference between equal candidates. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  english: of('en', 'Latin', 'eng', SNOWBALL),
  arabic: of('ar', 'Arabic', 'ara', SNOWBALL),
  armenian: of('hy', 'Armenian', 'hye', SNOWBALL),
  basque: of('eu', 'Latin', 'eus', SNOWBALL),
  catalan: of('ca', 'Latin', 'cat', { stemmer: 'snowball-stemmers', elided: 'd l m n s t' }),
  czech: of('cs', 'Latin', 'ces', SNOWBALL),
  danish: of('da', 'Latin', 'dan', SNOWBALL),
  dutch: of('nl', 'Latin', 'nld', SNOWBALL),
  finnish: of('fi', 'Latin', 'fin', SNOWBALL),
  french: of('fr', 'Latin', 'fra', {
    stemmer: 'snowball-stemmers',
    elided: 'c d j l m n s t qu jusqu lorsqu puisqu quoiqu',
  }),
  german: of('de', 'Latin', 'deu', SNOWBALL),
  hungarian: of('hu', 'Latin', 'hun', SNOWBALL),
  irish: of('ga', 'Latin', 'gle', SNOWBALL),
  italian: of('it', 'Latin', 'ita', {
    stemmer: 'snowball-stemmers',
    elided: 'c l all dall dell nell sull coll quell un m t s v d',
  }),
  norwegian: of('no', 'Latin', 'nob', SNOWBALL),
  portuguese: of('pt', 'Latin', 'por', SNOWBALL),
  romanian: of('ro', 'Latin', 'ron', SNOWBALL),
  russian: of('ru', 'Cyrillic', 'rus', SNOWBALL),
  slovene: of('sl', 'Latin', 'slv', SNOWBALL),
  spanish: of('es', 'Latin', 'spa', SNOWBALL),
  swedish: of('sv', 'Latin', 'swe', SNOWBALL),
  tamil: of('ta', 'Tamil', undefined, SNOWBALL),
  turkish: of('tr', 'Latin', 'tur', SNOWBALL),
  bengali: of('bn', 'Bengali', 'ben'),
  bulgarian: of('bg', 'Cyrillic', 'bul'),
  burmese: of('my', 'Myanmar'),
  chinese: of('zh', 'Han'),
  croatian: of('hr', 'Latin', 'hrv'),
  estonian: of('et', 'Latin', 'est'),
  georgian: of('ka', 'Georgian'),
  greek: of('el', 'Greek', 'ell', { stemmer: '@orama/stemmers/greek' }),
  gujarati: of('gu', 'Gujarati', 'guj'),
  hebrew: of('he', 'Hebrew', 'heb'),
  hindi: of('hi', 'Devanagari', 'hin', { stemmer: '@orama/stemmers/indian' }),
  indonesian: of('id', 'Latin', 'ind', { stemmer: '@orama/stemmers/indonesian' }),
  japanese: of('ja', 'Hiragana'),
  khmer: of('km', 'Khmer'),
  korean: of('ko', 'Hangul'),
  lao: of('lo', 'Lao'),
  latvian: of('lv', 'Latin', 'lav'),
  lithuanian: of('lt', 'Latin', 'lit', { stemmer: '@orama/stemmers/lithuanian' }),
  marathi: of('mr', 'Devanagari', 'mar'),
  persian: of('fa', 'Arabic', 'fas'),
  polish: of('pl', 'Latin', 'pol'),
  punjabi: of('pa', 'Gurmukhi', 'panGu'),
  slovak: of('sk', 'Latin', 'slk'),
  sorani: of('ckb', 'Arabic', 'kur'),
  swahili: of('sw', 'Latin', 'swa'),
  thai: of('th', 'Thai'),
  ukrainian: of('uk', 'Cyrillic', 'ukr'),
  urdu: of('ur', 'Arabic', 'urd'),
  vietnamese: of('vi', 'Latin', 'vie'),
}

const require = createRequire(import.meta.url)

/** Stop words of a language, without those of several words. */
export function stopwordsOf(name: string): readonly string[] {
  return name === 'english' ? ENGLISH_STOPWORDS : listOf(name)
}

export function listOf(name: string): readonly string[] {
  const { list, elided } = LANGUAGES[name]
  if (list === undefined) return []
  const lists = require('stopword') as typeof import('stopword')
  return [...lists[list], ...(elided?.split(' ') ?? [])]
}

/** Most of a megabyte, which looking at a finished result need not read. */
export function stemmerOf(name: string): (token: string) => string {
  const { stemmer: source = 'snowball-stemmers' } = LANGUAGES[name]
  if (source !== 'snowball-stemmers')
    return (require(source) as { readonly stemmer: (token: string) => string }).stemmer
  const { newStemmer } = require(source) as typeof import('snowball-stemmers')
  const stemmer = newStemmer(name)
  return (token) => stemmer.stem(token)
}

/** 47 English function words: the default stop list of BM25 here. */
export const ENGLISH_STOPWORDS: readonly string[] =
  `a an and are as at be but by did do does for from how if in into is it no not of on or such that the their then
  there these they this to was were what when where which who whom whose why will with`.split(/\s+/)
