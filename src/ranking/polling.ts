/**
 * How LightRAG merges lists: weighted polling over the owners of chunks, and round-robin over lists.
 * HKUDS/LightRAG, lightrag/utils.py, `pick_by_weighted_polling`.
 */

/**
 * Picks from owners in order of importance: owner i of n may give
 *
 *     round(most - i/(n-1) * (most - least))        round half to even
 *
 * of its items, in their order. What owners with fewer items leave over goes, one at a time, to the first owner that
 * has more.
 */
export function pollWeighted<T>(owners: readonly (readonly T[])[], most: number, least: number): T[] {
  if (owners.length === 1) return owners[0].slice(0, most)
  const picked: T[] = []
  const used = owners.map((items, i) => {
    const share = i / (owners.length - 1)
    const expected = roundHalfEven(most - share * (most - least))
    const count = Math.min(expected, items.length)
    picked.push(...items.slice(0, count))
    return { count, left: expected - count }
  })
  let left = used.reduce((sum, owner) => sum + owner.left, 0)
  for (let i = 0; i < owners.length && left > 0; i++) {
    const more = owners[i].slice(used[i].count, used[i].count + left)
    picked.push(...more)
    left -= more.length
  }
  return picked
}

/** 0.5 becomes 0, 1.5 and 2.5 become 2: as Python's `round`. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

/** The first of each list, then the second of each, ...; an item that came before is left out. */
export function roundRobin<T>(lists: readonly (readonly T[])[]): T[] {
  const merged = new Set<T>()
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let place = 0; place < longest; place++)
    for (const list of lists) if (place < list.length) merged.add(list[place])
  return [...merged]
}
