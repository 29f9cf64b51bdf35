import type { Document } from '../types.ts'
import type { GoldSpan } from './types.ts'

/** Most spans that are checked: the time for one grows with the length of its document. */
const MOST = 10_000
const WORD = /[\p{L}\p{M}\p{N}_]/u

/** Other units of offsets, and the UTF-16 offset that one of theirs means; undefined between two characters. */
const UNITS: readonly (readonly [string, (text: string, offset: number) => number | undefined])[] = [
  [
    'characters, as in Python',
    (text, offset) => lengthIn(text, offset, (character) => [...character].length),
  ],
  ['bytes of UTF-8', (text, offset) => lengthIn(text, offset, Buffer.byteLength)],
]

function lengthIn(text: string, offset: number, sizeOf: (character: string) => number): number | undefined {
  let [length, size] = [0, 0]
  for (const character of text) {
    if (size >= offset) break
    size += sizeOf(character)
    length += character.length
  }
  return size === offset ? length : undefined
}

/**
 * Notice about spans that begin or end within a word, and would not if their offsets counted other units than those of UTF-16.
 */
export function spanUnits(
  spans: ReadonlyMap<string, readonly GoldSpan[]>,
  documents: ReadonlyMap<string, Pick<Document, 'text'>>,
): string[] {
  const all = [...spans].flatMap(([query, list]) => list.map((span) => ({ query, ...span }))).slice(0, MOST)
  for (const [unit, meant] of UNITS) {
    let moved = 0
    const torn: string[] = []
    for (const { query, documentId, start, end } of all) {
      const text = documents.get(documentId)?.text ?? ''
      // Plain ASCII has one reading.
      if (!/[^\0-\x7f]/.test(text.slice(0, end))) continue
      const [from, to] = [meant(text, start), meant(text, end)]
      if (from === undefined || to === undefined || (from === start && to === end)) continue
      moved++
      if (isTorn(text, start, end) && !isTorn(text, from, to))
        torn.push(
          `"${text.slice(start, end).slice(0, 40)}" of query "${query}" for "${text.slice(from, to).slice(0, 40)}"`,
        )
    }
    if (2 * torn.length > moved)
      return [
        `${torn.length} gold spans begin or end within a word, and would not if their offsets counted ${unit} (${torn[0]}); offsets count UTF-16 units, as in JavaScript`,
      ]
  }
  return []
}

/** True if one of the offsets is within a word. */
function isTorn(text: string, ...offsets: readonly number[]): boolean {
  return offsets.some((offset) => WORD.test(text.charAt(offset - 1)) && WORD.test(text.charAt(offset)))
}
