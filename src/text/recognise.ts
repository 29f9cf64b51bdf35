import { LANGUAGES, listOf } from './languages.ts'
import { COUNTS_FROM, countLetters, type Script, scriptOf } from './scripts.ts'
import { createTokenizer } from './tokenize.ts'

/**
 * Language of a corpus in each of its scripts, by stop words (after Grefenstette, JADT 1995): the highest sum over tokens of 1 / (lists
 * of this script that hold the token).
 */
export interface Recognised {
  readonly texts: number
  /** Share of the letters in each script that counts, the most first. */
  readonly scripts: Readonly<Partial<Record<Script, number>>>
  readonly languages: Readonly<Partial<Record<Script, string>>>
}

/** Number of texts, evenly spaced, and characters of each that are examined. */
const TEXTS = 2000
const UNITS = 2000
/** Fewer tokens in a list than one in so many tell nothing, as among names. */
const FEWEST = 1 / 8

export function recognise(texts: readonly string[]): Recognised {
  const count = Math.min(TEXTS, texts.length)
  const sample = Array.from({ length: count }, (_, at) =>
    texts[Math.floor((at * texts.length) / count)].slice(0, UNITS),
  )
  const letters = new Map<Script, number>()
  for (const text of sample) countLetters(text, letters)
  const all = [...letters.values()].reduce((sum, number) => sum + number, 0)
  const counting = [...letters]
    .filter(([, number]) => number >= all * COUNTS_FROM)
    .sort(([a, number], [b, other]) => other - number || (a < b ? -1 : 1))
  const scripts = counting.map(([script]) => script)
  const tokens = tokensByScript(sample, scripts)
  const languages = scripts.flatMap((script) => {
    const language = languageOf(script, tokens.get(script) ?? new Map(), scripts)
    return language === undefined ? [] : [[script, language] as const]
  })
  return {
    texts: count,
    scripts: Object.fromEntries(counting.map(([script, number]) => [script, number / all])),
    languages: Object.fromEntries(languages),
  }
}

function tokensByScript(texts: readonly string[], scripts: readonly Script[]) {
  const tokenize = createTokenizer({ tokenizer: { name: 'words' }, scripts, languages: {} })
  const byScript = new Map<Script, Map<string, number>>()
  for (const text of texts)
    for (const token of tokenize(text)) {
      const script = scriptOf(token)
      // Single letters are words in many languages, and initials in all.
      if (script === undefined || token.length === 1) continue
      const counts = byScript.get(script) ?? new Map<string, number>()
      counts.set(token, (counts.get(token) ?? 0) + 1)
      byScript.set(script, counts)
    }
  return byScript
}

function languageOf(
  script: Script,
  tokens: ReadonlyMap<string, number>,
  scripts: readonly Script[],
): string | undefined {
  if (script === 'Han' && !scripts.includes('Hiragana')) return 'chinese'
  if (script === 'Han' || script === 'Katakana') return scripts.includes('Hiragana') ? 'japanese' : undefined
  const candidates = Object.keys(LANGUAGES).filter(
    (name) => LANGUAGES[name].script === script && fitsLetters(name, tokens),
  )
  if (candidates.length < 2) return candidates[0]
  const tokenize = createTokenizer({ tokenizer: { name: 'words' }, scripts: [script], languages: {} })
  const lists = candidates.map((name) => new Set(listOf(name).map((word) => tokenize(word).join(' '))))
  const scores = new Float64Array(candidates.length)
  const hits = new Float64Array(candidates.length)
  let total = 0
  for (const [token, count] of tokens) {
    total += count
    const holding = lists.flatMap((list, index) => (list.has(token) ? [index] : []))
    for (const index of holding) {
      scores[index] += count / holding.length
      hits[index] += count
    }
  }
  const best = scores.indexOf(Math.max(...scores))
  return hits[best] > 0 && hits[best] >= total * FEWEST ? candidates[best] : undefined
}

/** Letters of Kurdish, without which a text is none: lam and reh with a small v, yeh and waw with a small v. */
const SORANI = /[\u06b5\u0695\u06ce\u06c6]/
const LETTERS: readonly { readonly letters: RegExp; readonly languages: readonly string[] }[] = [
  { letters: /[\u067e\u0686\u0698\u06af]/, languages: ['persian', 'sorani', 'urdu'] },
  { letters: /[\u0679\u0688\u0691\u06ba]/, languages: ['urdu'] },
  { letters: SORANI, languages: ['sorani'] },
]
/** Share of tokens with such a letter from which a text is of one of its languages. */
const TELLING = 0.02

/** False for a language that lacks letters of these tokens. */
function fitsLetters(name: string, tokens: ReadonlyMap<string, number>): boolean {
  if (LANGUAGES[name].script !== 'Arabic') return true
  const total = [...tokens.values()].reduce((sum, count) => sum + count, 0)
  const isTelling = (letters: RegExp) =>
    [...tokens].reduce((sum, [token, count]) => sum + (letters.test(token) ? count : 0), 0) >= TELLING * total
  return (
    LETTERS.every(({ letters, languages }) => languages.includes(name) || !isTelling(letters)) &&
    (name !== 'sorani' || isTelling(SORANI))
  )
}
