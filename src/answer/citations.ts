import { CITATION } from '../text/passage-marks.ts'

/** Text of a refusal, which the prompts ask for. Compared without case. */
export const REFUSAL = 'The passages do not answer this.'

/** Beginnings of refusals in other words, without case and with straight apostrophes. */
const REFUSALS = [
  /^the (?:(?:given|provided|available) )?(?:context|documents?|passages?|sources?|text) (?:do(?:es)? not|don't|doesn't)\b/,
  /^i (?:do not|don't) (?:have|know)\b/,
  /^i (?:cannot|can't) (?:answer|find)\b/,
  /^i (?:could not|couldn't) find\b/,
  /^(?:not answerable|unanswerable)/,
]

/** True if a text says that there is no answer. A text that cites a passage is an answer. */
export function isRefusal(text: string): boolean {
  const plain = text.trim().toLowerCase().replaceAll('’', "'")
  if (plain === '') return true
  return REFUSALS.some((beginning) => beginning.test(plain)) && plain.match(CITATION) === null
}

/** True if a text cites passages and says nothing: its citations count for none. */
export function isOnlyCitations(text: string): boolean {
  const rest = withoutCitations(text).replace(BARE, '')
  return (text.match(CITATION) ?? text.match(BARE)) !== null && !/[\p{L}\p{N}]/u.test(rest)
}

/** Question that a refusal suggests; null if it suggests none. */
export function suggestionOf(text: string): string | null {
  if (!isRefusal(text)) return null
  const suggestion = SUGGESTION.exec(text)
  if (!suggestion) return null
  const [line] = text
    .slice(suggestion.index + suggestion[0].length)
    .trim()
    .split('\n')
  const inner = line.replace(/^["'“‘]+/, '').replace(/(?<!["'”’])["'”’]+$/, '')
  return inner.trim() || null
}

const SUGGESTION = /you might want to (?:ask|rephrase your question as):/i

/** A passage named without brackets, as `See passage 2`. */
const BARE = /\b(?:see\s+)?(?:passages?|sources?)\s+\d{1,4}(?:\s*(?:,|and)\s*\d{1,4})*\b/gi

/** Numbers of passages that an answer cites as [2] or [1, 3], ascending; those of no passage apart. */
export function citationsOf(
  text: string,
  passages: number,
): { readonly cited: readonly number[]; readonly wrong: readonly number[] } {
  if (isOnlyCitations(text)) return { cited: [], wrong: [] }
  const numbers = new Set([...text.matchAll(CITATION)].flatMap(([, list]) => list.split(/[,;]/).map(Number)))
  const all = [...numbers].sort((a, b) => a - b)
  const isPassage = (number: number) => number >= 1 && number <= passages
  return { cited: all.filter(isPassage), wrong: all.filter((number) => !isPassage(number)) }
}

export function withoutCitations(text: string): string {
  return text.replace(CITATION, '').trim()
}
