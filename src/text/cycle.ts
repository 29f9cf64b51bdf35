/**
 * The first circle that following a map from a word to others leads into, as `a, b, a`; undefined where there is none. Words are
 * compared by `key`.
 */
export function circleIn(
  links: ReadonlyMap<string, readonly string[]>,
  key: (word: string) => string,
): string[] | undefined {
  const next = new Map([...links].map(([word, others]) => [key(word), { word, others }]))
  const done = new Set<string>()

  function follow(at: string, path: readonly string[]): string[] | undefined {
    const from = path.findIndex((word) => key(word) === at)
    const { word, others } = next.get(at) ?? {}
    if (word === undefined || others === undefined || done.has(at)) return undefined
    if (from >= 0) return [...path.slice(from), word]
    for (const other of others) {
      const found = follow(key(other), [...path, word])
      if (found) return found
    }
    done.add(at)
    return undefined
  }

  for (const at of next.keys()) {
    const found = follow(at, [])
    if (found) return found
  }
  return undefined
}
