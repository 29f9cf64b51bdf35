import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Arrival, simulateCache } from '../../src/cli/simulated-cache.ts'

const at = (text: string): Arrival[] => [...text].map((key, time) => ({ key, time }))

test('least recently used entries go first', () => {
  // b goes for c, a stays since it was asked for again.
  expect(simulateCache(at('abacab'), { size: 2, ttl: Number.POSITIVE_INFINITY })).toEqual({
    queries: 6,
    hits: 2,
    expired: 0,
    evicted: 1,
  })
})

test('an entry is asked for again when it is too old, counted from when it was put in', () => {
  expect(simulateCache(at('aaaa'), { size: 2, ttl: 2 })).toEqual({
    queries: 4,
    hits: 2,
    expired: 1,
    evicted: 0,
  })
})

/** The same by a list that is searched, newest first. */
function plain(arrivals: readonly Arrival[], size: number, ttl: number): number {
  let list: { key: string; since: number }[] = []
  let hits = 0
  for (const { key, time } of arrivals) {
    const entry = list.find((one) => one.key === key)
    const fresh = entry !== undefined && time - entry.since <= ttl
    if (fresh) hits++
    list = [{ key, since: fresh ? entry.since : time }, ...list.filter((one) => one.key !== key)].slice(
      0,
      size,
    )
  }
  return hits
}

test('hits are those of a plain list', () => {
  const arrivals = fc.array(fc.record({ key: fc.constantFrom(...'abcdef'), wait: fc.nat(5) }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(
      arrivals,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 20 }),
      (list, size, ttl) => {
        let time = 0
        const log = list.map(({ key, wait }) => {
          time += wait
          return { key, time }
        })
        const { hits, expired, evicted } = simulateCache(log, { size, ttl })
        expect(hits).toBe(plain(log, size, ttl))
        const first = new Set(list.map(({ key }) => key)).size
        expect(hits + expired + evicted + first).toBe(list.length)
      },
    ),
  )
})
