/**
 * The order of ids: by their UTF-8 bytes, as `Buffer.compare` has it (JavaScript's own string order differs above
 * U+FFFF). Negative where `a` comes first.
 */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left === right) continue
    // Below the surrogates UTF-16 order is byte order; from there on the bytes themselves decide.
    if (left < 0xd800 && right < 0xd800) return left - right
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  return a.length - b.length
}

/** A sorted copy of `items`, by the bytes of their ids. */
export function sortedById<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => compareIds(a.id, b.id))
}

/** The index of an id in a list that is sorted by the bytes of its ids; -1 where it is not there. */
export function indexOfId(sorted: readonly { readonly id: string }[], id: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareIds(sorted[middle].id, id) < 0) low = middle + 1
    else high = middle
  }
  return sorted[low]?.id === id ? low : -1
}

/** The rows of chunks as one reads: document after document, each from its beginning. */
export function inReadingOrder(
  chunks: readonly { readonly documentId: string; readonly position: number }[],
): Uint32Array {
  const rows = Uint32Array.from(chunks, (_, row) => row)
  return rows.sort(
    (a, b) =>
      compareIds(chunks[a].documentId, chunks[b].documentId) || chunks[a].position - chunks[b].position,
  )
}
