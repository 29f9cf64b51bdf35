/** Adds an item to the list of a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** Number of times that each item occurs, in the order in which they first do. */
export function countsOf<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** Adds an item to the set of a key. */
export function addToSet<K, V>(sets: Map<K, Set<V>>, key: K, item: V): void {
  const set = sets.get(key)
  if (set) set.add(item)
  else sets.set(key, new Set([item]))
}

/** Caches `make` by its argument, which must not change: the value lives as long as the argument. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, T>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** Codes of texts, in the order in which they were first met. */
interface WordCodes {
  readonly words: readonly string[]
  codeOf(word: string): number
}

export function createWordCodes(): WordCodes {
  const words: string[] = []
  const codes = new Map<string, number>()
  return {
    words,
    codeOf(word) {
      const code = codes.get(word) ?? words.push(word) - 1
      codes.set(word, code)
      return code
    },
  }
}
