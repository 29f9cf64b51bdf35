/** A question that came, and when: milliseconds from any fixed point, not descending. */
export interface Arrival {
  readonly key: string
  readonly time: number
}

export interface CacheOptions {
  /** Maximum number of entries. */
  readonly size: number
  /** Milliseconds that an entry holds from when it was put in; Infinity: for ever. */
  readonly ttl: number
}

export interface CacheOutcome {
  readonly queries: number
  readonly hits: number
  /** Misses on entries that were too old. */
  readonly expired: number
  /** Misses on entries that were evicted. */
  readonly evicted: number
}

/**
 * Simulates a cache of answers on a log of questions: least recently used entries go first (LRU), and an entry that is
 * older than `ttl` is a miss. Times are those of the log, so that the same log gives the same figures.
 */
export function simulateCache(arrivals: readonly Arrival[], { size, ttl }: CacheOptions): CacheOutcome {
  // A Map keeps the order in which entries were set: the first is the least recently used.
  const entries = new Map<string, number>()
  const gone = new Set<string>()
  const outcome = { queries: arrivals.length, hits: 0, expired: 0, evicted: 0 }
  for (const { key, time } of arrivals) {
    const since = entries.get(key)
    entries.delete(key)
    const fresh = since !== undefined && time - since <= ttl
    if (fresh) outcome.hits++
    else if (since !== undefined) outcome.expired++
    else if (gone.has(key)) outcome.evicted++
    entries.set(key, fresh ? since : time)
    if (entries.size > size) {
      const [oldest] = entries.keys()
      entries.delete(oldest)
      gone.add(oldest)
    }
  }
  return outcome
}
