import { addTo } from '../maps.ts'
import type { Chunk } from '../types.ts'
import { indexSequences, plainWords } from './shared-sequences.ts'

type Unit = Pick<Chunk, 'documentId' | 'position' | 'title' | 'text'>

/**
 * The chunks that another system's text means, in reading order: equal, else of equal words, else with half of the
 * shorter one's 5-word sequences. A text that equals several chunks, or overlaps with several documents, means none.
 */
export function textMatcher(chunks: readonly Unit[]): (text: string) => readonly number[] {
  const exact = index(chunks, ({ title, text }) => [text.trim(), `${title}\n${text}`.trim()])
  const normalised = index(chunks, ({ title, text }) => [wordsOf(text), wordsOf(`${title} ${text}`)])
  let overlapping: ReturnType<typeof indexSequences> | undefined
  return (text) => {
    // A chunk may have a title alone; no text is no text.
    const equal = text.trim() === '' ? undefined : exact.get(text.trim())
    const words = equal ? '' : wordsOf(text)
    const rows = equal ?? (words === '' ? undefined : normalised.get(words))
    if (rows) return rows.length > 1 ? [] : rows
    overlapping ??= indexSequences(chunks)
    const shared = overlapping(text)
    if (new Set(shared.map((row) => chunks[row].documentId)).size > 1) return []
    return shared.sort((a, b) => chunks[a].position - chunks[b].position)
  }
}

function index(chunks: readonly Unit[], keysOf: (chunk: Unit) => readonly string[]): Map<string, number[]> {
  const rows = new Map<string, number[]>()
  chunks.forEach((chunk, row) => {
    for (const key of new Set(keysOf(chunk))) {
      addTo(rows, key, row)
    }
  })
  return rows
}

function wordsOf(text: string): string {
  return plainWords(text.normalize('NFKC')).join(' ')
}
