import { entityKey } from '../text/entity-key.ts'

/**
 * Titles found in running text. A title is known by its entity key, and by the key of what is left without its
 * parentheses ("Alien (film)" also as "alien"), where that has over 2 characters and at most 8 words. They stand at the
 * end nearly always; taking them anywhere is what the published edge counts were made with.
 */
export const MAX_TITLE_WORDS = 8

/** The keys that stand for a title in a text. */
export function titleKeys(title: string): string[] {
  const keys = [entityKey(title), entityKey(title.replace(/\([^()]*\)/gu, ' '))]
  return [...new Set(keys)].filter((key) => key.length > 2 && key.split(' ').length <= MAX_TITLE_WORDS)
}

/** Title key -> the rows that carry it, ascending. */
export function titleRows(titles: readonly string[]): Map<string, number[]> {
  const rows = new Map<string, number[]>()
  titles.forEach((title, row) => {
    for (const key of titleKeys(title)) {
      const known = rows.get(key)
      if (known) known.push(row)
      else rows.set(key, [row])
    }
  })
  return rows
}

/** A known span in a text: `words` from the `start`-th word of the text's entity key. */
export interface Span {
  readonly key: string
  readonly start: number
  readonly words: number
}

/** Every known span of whole words in `text`, longest first at each word, overlapping ones included. */
export function findSpans(text: string, known: ReadonlyMap<string, unknown>): Span[] {
  const words = entityKey(text).split(' ')
  const spans: Span[] = []
  for (let start = 0; start < words.length; start++) {
    let key = ''
    const longest: Span[] = []
    for (let count = 1; count <= MAX_TITLE_WORDS && start + count <= words.length; count++) {
      key = count === 1 ? words[start] : `${key} ${words[start + count - 1]}`
      if (known.has(key)) longest.unshift({ key, start, words: count })
    }
    spans.push(...longest)
  }
  return spans
}
