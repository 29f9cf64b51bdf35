/** Gives rows the numbers 0, 1, 2 … in the order in which they are first met. */
interface Interner {
  /** The row's number; a row met for the first time gets the next one. */
  intern(row: number): number
  /** Number of distinct rows so far. */
  count(): number
}

/**
 * Interns at most `capacity` rows. A table of open addresses: a Map would cost several times as much, and lists of a few
 * hundred rows are fused a million times in a large grid.
 */
export function createInterner(capacity: number): Interner {
  let bits = 4
  while (1 << bits < 2 * capacity) bits++
  const mask = (1 << bits) - 1
  /** A row and its number + 1, two by two; 0 where an entry is free. */
  const table = new Uint32Array(2 << bits)
  let met = 0

  function intern(row: number): number {
    // Knuth's multiplicative hash: neighbouring rows, as a document's chunks are, do not crowd.
    let entry = Math.imul(row, 0x9e3779b1) >>> (32 - bits)
    while (table[2 * entry + 1] !== 0) {
      if (table[2 * entry] === row) return table[2 * entry + 1] - 1
      entry = (entry + 1) & mask
    }
    table[2 * entry] = row
    table[2 * entry + 1] = ++met
    return met - 1
  }

  return { intern, count: () => met }
}
