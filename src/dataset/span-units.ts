import type { Document } from '../types.ts'
import type { GoldSpan } from './types.ts'

/** Most spans that are checked: the time for one grows with the length of its document. */
const MOST = 10_000
const WORD = /[\p{L}\p{M}\p{N}_]/u

/** Other units of offsets, and the size of a character in them. */
const UNITS: readonly (readonly [string, (character: string) => number])[] = [
  ['characters, as in Python', () => 1],
  ['bytes of UTF-8', Buffer.byteLength],
]

/** UTF-16 offset that an offset in another unit means; undefined between two characters. */
function meant(text: string, offset: number, sizeOf: (character: string) => number): number | undefined {
  let [length, size] = [0, 0]
  for (const character of text) {
    if (size >= offset) break
    size += sizeOf(character)
    length += character.length
  }
  return size === offset ? length : undefined
}

/** Notice about spans that begin or end within a word, and would not if their offsets counted other units than those of UTF-16. */
export function spanUnits(
  spans: ReadonlyMap<string, readonly GoldSpan[]>,
  documents: ReadonlyMap<string, Pick<Document, 'text'>>,
): string[] {
  const all = [...spans].flatMap(([query, list]) => list.map((span) => ({ query, ...span }))).slice(0, MOST)
  for (const [unit, sizeOf] of UNITS) {
    const moved = all.flatMap(({ query, documentId, start, end }) => {
      const text = documents.get(documentId)?.text ?? ''
      // Plain ASCII has one reading.
      if (!/[^\0-\x7f]/.test(text.slice(0, end))) return []
      const [from, to] = [meant(text, start, sizeOf), meant(text, end, sizeOf)]
      if (from === undefined || to === undefined || (from === start && to === end)) return []
      const words = `"${text.slice(start, end).slice(0, 40)}" of query "${query}" for "${text.slice(from, to).slice(0, 40)}"`
      return [{ words, isTorn: isTorn(text, start, end) && !isTorn(text, from, to) }]
    })
    const torn = moved.filter(({ isTorn }) => isTorn)
    if (2 * torn.length > moved.length)
      return [
        `${torn.length} gold spans begin or end within a word, and would not if their offsets counted ${unit} (${torn[0].words}); offsets count UTF-16 units, as in JavaScript`,
      ]
  }
  return []
}

/** True if one of the offsets is within a word. */
const isTorn = (text: string, ...offsets: readonly number[]) =>
  offsets.some((offset) => WORD.test(text.charAt(offset - 1)) && WORD.test(text.charAt(offset)))
