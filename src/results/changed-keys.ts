import { canonical } from '../store/hash.ts'
import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'

/** Key that differs between two configs; an absent value is undefined. */
export interface ChangedKey {
  /** `trials[2].bm25.k1`: places in the list of `now`, or of `before` for removed items. */
  readonly key: string
  readonly before?: Json | undefined
  readonly now?: Json | undefined
}

/**
 * Keys in which two values differ, recursively. Equal list items are no change at any position. The other items are
 * paired in order if both lists have as many, otherwise they are removed or added.
 */
export function changedKeys(before: Json | undefined, now: Json | undefined, key = ''): ChangedKey[] {
  if (canonical(before) === canonical(now)) return []
  if (Array.isArray(before) && Array.isArray(now)) return changedItems(before, now, key)
  if (isMap(before) && isMap(now))
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) => {
      const own = /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
      const below = key === '' ? own : `${key}.${own}`
      if (!Object.hasOwn(before, name)) return [{ key: below, now: now[name] }]
      if (!Object.hasOwn(now, name)) return [{ key: below, before: before[name] }]
      return changedKeys(before[name], now[name], below)
    })
  return [{ key, before, now }]
}

function changedItems(before: readonly Json[], now: readonly Json[], key: string): ChangedKey[] {
  const gone = without(before, now)
  const added = without(now, before)
  // The same items in another order.
  if (gone.length === 0 && added.length === 0) return [{ key, before, now }]
  if (gone.length === added.length)
    return added.flatMap(({ item, place }, index) => changedKeys(gone[index].item, item, `${key}[${place}]`))
  return [
    ...gone.map(({ item, place }) => ({ key: `${key}[${place}]`, before: item })),
    ...added.map(({ item, place }) => ({ key: `${key}[${place}]`, now: item })),
  ]
}

/** Items that `other` has fewer of, with their places. */
function without(list: readonly Json[], other: readonly Json[]): { item: Json; place: number }[] {
  const left = new Map<string, number>()
  for (const item of other) left.set(canonical(item), (left.get(canonical(item)) ?? 0) + 1)
  return list.flatMap((item, place) => {
    const text = canonical(item)
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count > 0 ? [] : [{ item, place }]
  })
}
