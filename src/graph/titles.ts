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

/** Titles to be found in texts. */
export interface Titles {
  /** Title key -> the rows that carry it, ascending. */
  readonly rows: ReadonlyMap<string, readonly number[]>
  /** What each key begins with, word by word: where a text leaves these, no title follows. */
  readonly beginnings: ReadonlySet<string>
}

export function indexTitles(titles: readonly string[]): Titles {
  const rows = new Map<string, number[]>()
  const beginnings = new Set<string>()
  titles.forEach((title, row) => {
    for (const key of titleKeys(title)) {
      const known = rows.get(key)
      if (known) {
        known.push(row)
        continue
      }
      rows.set(key, [row])
      for (let end = key.indexOf(' '); end >= 0; end = key.indexOf(' ', end + 1))
        beginnings.add(key.slice(0, end))
    }
  })
  return { rows, beginnings }
}

/** A known title in a text: `words` from the `start`-th word of the text's entity key. */
export interface Span {
  readonly key: string
  readonly start: number
  readonly words: number
}

/** Every known title of whole words in `text`, in order of its first word, overlapping ones included. */
export function findTitles(text: string, { rows, beginnings }: Titles): Span[] {
  const words = entityKey(text).split(' ')
  const spans: Span[] = []
  for (let start = 0; start < words.length; start++) {
    let key = ''
    for (let count = 1; count <= MAX_TITLE_WORDS && start + count <= words.length; count++) {
      key = count === 1 ? words[start] : `${key} ${words[start + count - 1]}`
      if (rows.has(key)) spans.push({ key, start, words: count })
      if (!beginnings.has(key)) break
    }
  }
  return spans
}
