/** Adds an item to the list of a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** Adds an item to the set of a key. */
export function addToSet<K, V>(sets: Map<K, Set<V>>, key: K, item: V): void {
  const set = sets.get(key)
  if (set) set.add(item)
  else sets.set(key, new Set([item]))
}
