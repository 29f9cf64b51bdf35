/**
 * Seeded random numbers: mulberry32, whose state is one 32-bit word. `fork` gives an independent stream by name, so
 * that a change in one part of the world leaves the others as they were.
 */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number in [0, n). */
  int(n: number): number
  pick<T>(list: readonly T[]): T
  chance(p: number): boolean
  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(list: readonly T[]): T[]
  fork(name: string): Random
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (n: number) => Math.floor(next() * n)
  return {
    next,
    int,
    pick: (list) => list[int(list.length)],
    chance: (p) => next() < p,
    shuffle: (list) => {
      const copy = [...list]
      for (let last = copy.length - 1; last > 0; last--) {
        const other = int(last + 1)
        ;[copy[last], copy[other]] = [copy[other], copy[last]]
      }
      return copy
    },
    fork: (name) => createRandom(seedOf(seed, name)),
  }
}

/** FNV-1a over the name, started from the seed. */
function seedOf(seed: number, name: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0
  return hash
}
