/**
 * xoshiro128** (Blackman and Vigna, 2018; public domain), seeded by splitmix32: 32-bit integers only, so every
 * machine draws the same numbers. https://prng.di.unimi.it/
 */
export interface Random {
  /** 32 random bits, 0 to 2^32 - 1. */
  bits(): number
  /** 0 to n - 1, each as likely (rejection); n from 1 to 2^32. */
  below(n: number): number
  /** 0 to 1, 1 excluded, in steps of 2^-32. */
  uniform(): number
}

/** A seed is any whole number. */
function stateOf(seed: number): readonly [number, number, number, number] {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0
  const fill = () => {
    state = (state + 0x9e3779b9) >>> 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return (z ^ (z >>> 16)) >>> 0
  }
  return [fill(), fill(), fill(), fill()]
}

/** A generator of its own for a seed. */
export function createRandom(seed: number): Random {
  let [a, b, c, d] = stateOf(seed)

  function bits(): number {
    const times5 = Math.imul(b, 5)
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result
  }

  let [range, favoured] = [1, 0]
  function below(n: number): number {
    // The upper part of a product is uniform if the lowest parts, which favour some numbers, are drawn again.
    if (n !== range) {
      range = n
      favoured = 2 ** 32 % n
    }
    for (;;) {
      const drawn = bits()
      if (drawn >= favoured) return drawn - n * Math.floor(drawn / n)
    }
  }

  return { bits, below, uniform: () => bits() / 2 ** 32 }
}

/** Shuffles in place (Fisher and Yates). */
export function shuffle<L extends unknown[] | Uint32Array>(list: L, random: Random): L {
  for (let last = list.length - 1; last > 0; last--) {
    const index = random.below(last + 1)
    const item = list[last]
    list[last] = list[index]
    list[index] = item
  }
  return list
}

/** FNV-1a of seed and text, so that a text draws the same anywhere. */
export function createRandomFor(seed: number, text: string): Random {
  let hash = 0x811c9dc5
  for (const part of [String(seed), '\0', text])
    for (let at = 0; at < part.length; at++) hash = Math.imul(hash ^ part.charCodeAt(at), 0x01000193)
  return createRandom(hash >>> 0)
}

/** Different numbers below `n`, at most `count`, every order as likely. */
export function drawDistinct(n: number, count: number, random: Random): number[] {
  // Steps of a shuffle (Fisher and Yates), of which only moved values are stored.
  const moved = new Map<number, number>()
  return Array.from({ length: Math.min(n, count) }, (_, at) => {
    const position = at + random.below(n - at)
    const drawn = moved.get(position) ?? position
    moved.set(position, moved.get(at) ?? at)
    return drawn
  })
}
