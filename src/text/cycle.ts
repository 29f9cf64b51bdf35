/** The first circle of a map from a word to others, as `a, b, a`. Words are compared by `key`. */
export function circleIn(
  links: ReadonlyMap<string, readonly string[]>,
  key: (word: string) => string,
): string[] | undefined {
  const next = new Map([...links].map(([word, others]) => [key(word), { word, others }]))
  const done = new Set<string>()
  for (const start of next.keys()) {
    // Words that led here, with how many of their others were followed: a chain may be too long for recursion.
    const path = done.has(start) ? [] : [{ at: start, followed: 0 }]
    const onPath = new Set(path.map(({ at }) => at))
    while (path.length > 0) {
      const last = path.at(-1) as (typeof path)[number]
      const other = next.get(last.at)?.others[last.followed++]
      if (other === undefined) {
        path.pop()
        onPath.delete(last.at)
        done.add(last.at)
        continue
      }
      const at = key(other)
      if (onPath.has(at)) {
        const from = path.findIndex((step) => step.at === at)
        return [...path.slice(from).map((step) => step.at), at].map((step) => next.get(step)?.word ?? step)
      }
      if (!next.has(at) || done.has(at)) continue
      path.push({ at, followed: 0 })
      onPath.add(at)
    }
  }
  return undefined
}
