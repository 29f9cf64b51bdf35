import { addTo, countsOf } from '../maps.ts'
import { createRandom } from '../random.ts'

/**
 * Agreement of labellers beyond chance, of ratings in any number of categories:
 *
 *     kappa = (observed - expected) / (1 - expected)
 *
 * Cohen (1960) for two labellers: `expected` from each one's own shares. Fleiss (1971) for any number, `expected` from the
 * shares of all ratings; an item may have another number of ratings than the next, and one with fewer than two is left out.
 * NaN if only one category was ever used. Intervals are percentiles of a bootstrap over questions, since passages of a
 * question are not independent.
 */

/** Ratings of one item by labeller. */
export type Ratings = ReadonlyMap<string, number>

export interface RatedItem {
  readonly query: string
  readonly ratings: Ratings
}

export interface Agreement {
  readonly kappa: number
  readonly low: number
  readonly high: number
  /** Number of items that both, or at least two, have rated. */
  readonly items: number
}

export function cohensKappa(pairs: readonly (readonly [number, number])[]): number {
  const [ofOne, ofOther] = [0, 1].map((side) => countsOf(pairs.map((pair) => pair[side])))
  const same = pairs.filter(([first, other]) => first === other).length
  const n = pairs.length
  const expected = [...ofOne].reduce(
    (sum, [category, count]) => sum + (count / n) * ((ofOther.get(category) ?? 0) / n),
    0,
  )
  return expected === 1 ? Number.NaN : (same / n - expected) / (1 - expected)
}

export function fleissKappa(items: readonly (readonly number[])[]): number {
  const rated = items.filter(({ length }) => length > 1)
  const totals = new Map<number, number>()
  let observed = 0
  let ratings = 0
  for (const item of rated) {
    const counts = countsOf(item)
    for (const [category, count] of counts) totals.set(category, (totals.get(category) ?? 0) + count)
    const same = [...counts.values()].reduce((sum, count) => sum + count * (count - 1), 0)
    observed += same / (item.length * (item.length - 1))
    ratings += item.length
  }
  observed /= rated.length
  const expected = [...totals.values()].reduce((sum, count) => sum + (count / ratings) ** 2, 0)
  return expected === 1 ? Number.NaN : (observed - expected) / (1 - expected)
}

export function agreementOfTwo(items: readonly RatedItem[], first: string, other: string): Agreement {
  const shared = items.flatMap(({ query, ratings }) => {
    const [a, b] = [ratings.get(first), ratings.get(other)]
    return a === undefined || b === undefined ? [] : [{ query, value: [a, b] as const }]
  })
  return withInterval(shared, cohensKappa)
}

/** Fleiss' kappa of all labellers on the items that at least two have rated. */
export function agreementOfAll(items: readonly RatedItem[]): Agreement {
  const rated = items
    .filter(({ ratings }) => ratings.size > 1)
    .map(({ query, ratings }) => ({ query, value: [...ratings.values()] }))
  return withInterval(rated, fleissKappa)
}

const DRAWS = 1000
const LEVEL = 0.95

function withInterval<T>(
  items: readonly { readonly query: string; readonly value: T }[],
  kappaOf: (values: readonly T[]) => number,
): Agreement {
  const byQuery = new Map<string, T[]>()
  for (const { query, value } of items) addTo(byQuery, query, value)
  const groups = [...byQuery.values()]
  const kappa = kappaOf(groups.flat())
  const random = createRandom(0)
  const drawn: number[] = []
  for (let draw = 0; draw < DRAWS && groups.length > 1; draw++) {
    const value = kappaOf(groups.flatMap(() => groups[random.below(groups.length)]))
    if (!Number.isNaN(value)) drawn.push(value)
  }
  drawn.sort((a, b) => a - b)
  const at = (share: number) => drawn[Math.round(share * (drawn.length - 1))] ?? Number.NaN
  return { kappa, low: at((1 - LEVEL) / 2), high: at((1 + LEVEL) / 2), items: items.length }
}
