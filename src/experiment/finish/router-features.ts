import { namesIn } from '../../retrieve/router/rules.ts'
import type { FirstRanks } from '../shard/first-ranks.ts'

/**
 * What a fitted router knows of a query, all of it without gold:
 *
 *     of the query     words (log), words that look like names, words with a digit, the share of Latin letters; where an arm
 *                      looks words up, how rare the rarest of its terms is and they are on average (idf), and how many no
 *                      chunk holds
 *     of each arm      its first score, how far the second and the fifth lie below it, how many chunks it lists; how much of
 *                      its first five the other arms' first five share on average, and how many of them agree on the first
 *     of some arms     how many entities or titles it linked (log)
 */
export interface ArmLists {
  readonly name: string
  readonly first: FirstRanks
  /** By query; null where the arm links nothing ever. */
  readonly links: Float64Array | null
}

/** The rarity of terms: of a query's text, the idf of each of its terms; Infinity for one that no chunk holds. */
export type Rarity = (text: string) => readonly number[]

const FIRST = 5

export interface Features {
  readonly names: readonly string[]
  /** By query. */
  readonly rows: readonly Float64Array[]
}

export function routerFeatures(
  texts: readonly string[],
  arms: readonly ArmLists[],
  rarity: Rarity | null,
): Features {
  const names = [
    ...['words', 'names', 'numbers', 'latin'],
    ...(rarity ? ['rarest word', 'mean rarity', 'unknown words'] : []),
    ...arms.flatMap(({ name, links }) => [
      ...[
        'first score',
        'gap to the second',
        'gap to the fifth',
        'chunks',
        'shared first five',
        'same first',
      ].map((what) => `${name}: ${what}`),
      ...(links ? [`${name}: linked`] : []),
    ]),
  ]
  const rows = texts.map((text, query) =>
    Float64Array.from([
      ...ofText(text),
      ...(rarity ? ofTerms(rarity(text)) : []),
      ...arms.flatMap((arm) => ofArm(arm, arms, query)),
    ]),
  )
  return { names, rows }
}

function ofText(text: string): number[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return [
    Math.log1p(words.length),
    namesIn(text).length,
    words.filter((word) => /\p{N}/u.test(word)).length,
    latin(text),
  ]
}

function latin(text: string): number {
  const count = (letter: RegExp) => text.match(letter)?.length ?? 0
  return count(/\p{Script=Latin}/gu) / Math.max(1, count(/\p{L}/gu))
}

function ofTerms(rarities: readonly number[]): number[] {
  const known = rarities.filter(Number.isFinite)
  return [
    Math.max(0, ...known),
    known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length),
    rarities.length - known.length,
  ]
}

function ofArm(arm: ArmLists, arms: readonly ArmLists[], query: number): number[] {
  const { first, links } = arm
  const count = first.counts[query]
  // A list that ends has nothing there.
  const score = (rank: number) => (rank < count ? first.scores[query * first.ranks + rank] : 0)
  const own = firstRows(arm, query)
  const others = arms.filter((other) => other !== arm).map((other) => firstRows(other, query))
  const mean = (of: (other: readonly number[]) => number) =>
    others.reduce((sum, other) => sum + of(other), 0) / Math.max(1, others.length)
  return [
    score(0),
    score(0) - score(1),
    score(0) - score(FIRST - 1),
    count,
    mean((other) => own.filter((row) => other.includes(row)).length / FIRST),
    mean((other) => (own.length > 0 && own[0] === other[0] ? 1 : 0)),
    ...(links ? [Math.log1p(links[query])] : []),
  ]
}

function firstRows({ first }: ArmLists, query: number): readonly number[] {
  const begin = query * first.ranks
  return [...first.rows.subarray(begin, begin + Math.min(FIRST, first.counts[query]))]
}
