import { normalize } from '../../ranking/normalize.ts'
import { entityKey } from '../../text/entity-key.ts'
import type { Ranking } from '../../types.ts'
import type { Csr } from './csr.ts'
import type { Reset } from './pagerank.ts'

/**
 * Titles found in running text. A title is known by its entity key, and by the key of what is left without its
 * parentheses ("Alien (film)" also as "alien"), where that has over 2 characters and at most 8 words. They stand at the
 * end nearly always; taking them anywhere is what the published edge counts were made with.
 */
const MAX_TITLE_WORDS = 8

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
  return indexNames(titles.map((title) => [title]))
}

/** The same where a row may carry several names. */
export function indexNames(names: readonly (readonly string[])[]): Titles {
  const rows = new Map<string, number[]>()
  const beginnings = new Set<string>()
  names.forEach((own, row) => {
    for (const key of new Set(own.flatMap(titleKeys))) {
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
export interface TitleSpan {
  readonly key: string
  readonly start: number
  readonly words: number
}

/** Every known title of whole words in `text`, in order of its first word, overlapping ones included. */
export function findTitles(text: string, { rows, beginnings }: Titles): TitleSpan[] {
  const words = entityKey(text).split(' ')
  const spans: TitleSpan[] = []
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

/**
 * Where Title PPR's walk starts:
 *
 *     minmax over the prior's `top` best, to the power `power`; plus `titleWeight` * rarity for each passage whose title
 *     stands in the query
 *
 * A title in the query counts where its key has over 3 characters and lies within no longer one that was found. What the
 * prior does not find has 0: where it finds fewer than `top`, 0 is the lowest.
 */
export type TitleResetOptions = {
  readonly top: number
  readonly power: number
  readonly titleWeight: number
}

/** Those whose keys have over 3 characters and that lie within no longer one. */
export function longestSpans(found: readonly TitleSpan[]): TitleSpan[] {
  const spans = found.filter(({ key }) => key.length > 3)
  const holds = (outer: TitleSpan, inner: TitleSpan) =>
    outer.words > inner.words &&
    outer.start <= inner.start &&
    outer.start + outer.words >= inner.start + inner.words
  return spans.filter((span) => !spans.some((other) => holds(other, span)))
}

/** The passages whose titles stand in `query`, ascending, each with the rarity of its title (of the rarest, where there are several). */
export function titledIn(query: string, titles: Titles, rarity: ReadonlyMap<string, number>): Reset {
  const longest = longestSpans(findTitles(query, titles))
  const weights = new Map<number, number>()
  for (const { key } of longest)
    for (const row of titles.rows.get(key) ?? [])
      weights.set(row, Math.max(weights.get(row) ?? 0, rarity.get(key) ?? 0))
  const found = [...weights].sort(([a], [b]) => a - b)
  return {
    nodes: Uint32Array.from(found, ([row]) => row),
    weights: Float64Array.from(found, ([, weight]) => weight),
  }
}

/** The reset over passages (`chunks` of them); passages without weight are left out, so it may be empty. */
export function titleReset(
  prior: Ranking,
  titled: Reset,
  { top, power, titleWeight }: TitleResetOptions,
  chunks: number,
): Reset {
  const best = prior.scores.slice(0, top)
  const isWhole = best.length >= Math.min(top, chunks)
  const scaled = normalize({ scores: isWhole ? best : Float64Array.of(...best, 0) }, 'minmax')
  const weights = new Map<number, number>()
  for (let i = 0; i < best.length; i++) if (scaled[i] > 0) weights.set(prior.rows[i], scaled[i] ** power)
  if (titleWeight > 0)
    for (let i = 0; i < titled.nodes.length; i++)
      weights.set(titled.nodes[i], (weights.get(titled.nodes[i]) ?? 0) + titleWeight * titled.weights[i])
  return { nodes: Uint32Array.from(weights.keys()), weights: Float64Array.from(weights.values()) }
}

/**
 * Whether a walk from a reset gets anywhere over these links: a passage of it is titled in the query, or a link leads on
 * from one. Otherwise all weight would stay where it began.
 */
export function leadsOn(
  { nodes }: Reset,
  titled: Reset,
  { titleWeight }: TitleResetOptions,
  { offsets }: Csr,
): boolean {
  if (titleWeight > 0 && titled.nodes.length > 0) return true
  for (let i = 0; i < nodes.length; i++) if (offsets[nodes[i]] < offsets[nodes[i] + 1]) return true
  return false
}
