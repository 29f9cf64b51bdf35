/** Caches the last `most` results, without failures. */
export function keep<T>(most: number): (key: string, make: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Promise<T>>()
  return (key, make) => {
    const value = kept.get(key) ?? make()
    kept.delete(key)
    kept.set(key, value)
    if (kept.size > most) kept.delete([...kept.keys()][0])
    value.catch(() => kept.delete(key))
    return value
  }
}
