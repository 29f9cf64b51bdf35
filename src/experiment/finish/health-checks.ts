import { compareIds } from '../../text/ids.ts'

/** Checks of a measure's values by query; NaN if a query does not count. */

/** Share of queries at the ceiling: what cannot get better cannot differ. */
export function ceilingShare(values: ArrayLike<number>, ceiling = 1): number {
  return shareOf(values, (value) => value >= ceiling)
}

/** Queries on which no row of [trial][query] is above 0. */
export function unsolvedQueries(matrix: readonly Float64Array[]): number[] {
  const indexes: number[] = []
  for (let query = 0; query < (matrix[0]?.length ?? 0); query++)
    if (matrix.every((row) => !(row[query] > 0)) && matrix.some((row) => row[query] === 0))
      indexes.push(query)
  return indexes
}

/** Share of queries whose value depends on the order of ties. */
export function decidedByTies(worst: ArrayLike<number>, best: ArrayLike<number>): number {
  return shareOf(best, (value, query) => value !== worst[query])
}

/**
 * Categories too small to find anything: even if one row won on every query, sign flips give 2^(1 - n), above the level.
 */
export function smallCategories(
  categories: readonly (string | null)[],
  level: number,
): { name: string; queries: number }[] {
  const sizes = new Map<string, number>()
  for (const name of categories) if (name !== null) sizes.set(name, (sizes.get(name) ?? 0) + 1)
  return [...sizes]
    .map(([name, queries]) => ({ name, queries }))
    .filter(({ queries }) => 2 ** (1 - queries) > level)
    .sort((a, b) => compareIds(a.name, b.name))
}

function shareOf(values: ArrayLike<number>, test: (value: number, query: number) => boolean): number {
  let counted = 0
  let share = 0
  for (let query = 0; query < values.length; query++) {
    if (Number.isNaN(values[query])) continue
    counted++
    if (test(values[query], query)) share++
  }
  return counted === 0 ? 0 : share / counted
}
