/** The first of `rows` whose tokens fit into `budget`, up to the first that does not, and their tokens. */
export function cutToBudget<T>(
  rows: readonly T[],
  tokensOf: (row: T) => number,
  budget: number,
): { readonly rows: readonly T[]; readonly tokens: number } {
  let tokens = 0
  for (let i = 0; i < rows.length; i++) {
    const more = tokensOf(rows[i])
    if (tokens + more > budget) return { rows: rows.slice(0, i), tokens }
    tokens += more
  }
  return { rows, tokens }
}

/**
 * Weighted polling: owner i of n gives round(max - i/(n-1) * (max - min)) items (half to even). What is left over goes,
 * one at a time, to the first owner that has more. HKUDS/LightRAG, lightrag/utils.py, `pick_by_weighted_polling`.
 */
export function pollWeighted<T>(owners: readonly (readonly T[])[], max: number, min: number): T[] {
  if (owners.length === 1) return owners[0].slice(0, max)
  const picked: T[] = []
  const used = owners.map((items, i) => {
    const share = i / (owners.length - 1)
    const expected = roundHalfEven(max - share * (max - min))
    const count = Math.min(expected, items.length)
    picked.push(...items.slice(0, count))
    return { count, left: expected - count }
  })
  let left = used.reduce((sum, owner) => sum + owner.left, 0)
  for (let i = 0; i < owners.length; i++) {
    const more = owners[i].slice(used[i].count, used[i].count + left)
    picked.push(...more)
    left -= more.length
  }
  return picked
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** The first of each list, then the second of each, ...; an item that came before is left out. */
export function roundRobin<T>(lists: readonly (readonly T[])[]): T[] {
  const merged = new Set<T>()
  const longest = Math.max(...lists.map((list) => list.length))
  for (let i = 0; i < longest; i++) for (const list of lists) if (i < list.length) merged.add(list[i])
  return [...merged]
}
