import { addTo } from '../maps.ts'
import { UNSPACED_CHARACTERS } from '../text/scripts.ts'

const LENGTH = 5

/** A letter of a script without spaces, with its marks; or a run of other letters, marks and digits. */
const WORD = new RegExp(
  `(?=[\\p{L}\\p{N}])[${UNSPACED_CHARACTERS}]\\p{M}*|(?:(?![${UNSPACED_CHARACTERS}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)

/** Words of a text in lower case, without signs; in scripts without spaces every letter is one. */
export function plainWords(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}

function sequencesOf(text: string): Set<string> {
  const words = plainWords(text)
  const sequences = new Set<string>()
  for (let end = Math.min(LENGTH, words.length); end > 0 && end <= words.length; end++)
    sequences.add(words.slice(Math.max(0, end - LENGTH), end).join(' '))
  return sequences
}

/** Finds the rows whose texts share at least half of the 5-word sequences of the shorter of both texts, ascending. */
export function indexSequences(units: readonly { readonly text: string }[]): (text: string) => number[] {
  const rows = new Map<string, number[]>()
  const sizes = units.map(({ text }, row) => {
    const sequences = sequencesOf(text)
    for (const sequence of sequences) {
      addTo(rows, sequence, row)
    }
    return sequences.size
  })
  return (text) => {
    const sequences = sequencesOf(text)
    const shared = new Map<number, number>()
    for (const sequence of sequences)
      for (const row of rows.get(sequence) ?? []) shared.set(row, (shared.get(row) ?? 0) + 1)
    return [...shared]
      .filter(([row, count]) => 2 * count >= Math.min(sizes[row], sequences.size))
      .map(([row]) => row)
      .sort((a, b) => a - b)
  }
}
