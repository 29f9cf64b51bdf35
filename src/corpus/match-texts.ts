import { createHash } from 'node:crypto'
import { addTo } from '../maps.ts'
import { UNSPACED_CHARACTERS } from '../text/scripts.ts'
import type { Chunk } from '../types.ts'

const LENGTH = 5

/** A letter of a script without spaces, with its marks; or a run of other letters, marks and digits. */
const WORD = new RegExp(
  `(?=[\\p{L}\\p{N}])[${UNSPACED_CHARACTERS}]\\p{M}*|(?:(?![${UNSPACED_CHARACTERS}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)

/** Words of a text in lower case, without signs; in scripts without spaces every letter is one. */
function plainWords(text: string): string[] {
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
function indexSequences(units: readonly { readonly text: string }[]): (text: string) => number[] {
  const rows = new Map<string, number[]>()
  const sizes = units.map(({ text }, row) => {
    const sequences = sequencesOf(text)
    for (const sequence of sequences) addTo(rows, sequence, row)
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

type Unit = Pick<Chunk, 'documentId' | 'position' | 'title' | 'text'>

/**
 * Chunks that another system's text means, in reading order: of equal text, else of equal words, else with half of
 * the shorter one's 5-word sequences. A text that equals several chunks, or overlaps with several documents, means
 * none.
 */
export function textMatcher(chunks: readonly Unit[]): (text: string) => readonly number[] {
  const exact = index(chunks, ({ title, text }) => [text.trim(), `${title}\n${text}`.trim()])
  const normalised = index(chunks, ({ title, text }) => [wordsOf(text), wordsOf(`${title} ${text}`)])
  let overlapping: ReturnType<typeof indexSequences> | undefined
  return (text) => {
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
    for (const key of new Set(keysOf(chunk))) addTo(rows, key, row)
  })
  return rows
}

function wordsOf(text: string): string {
  return plainWords(text.normalize('NFKC')).join(' ')
}

interface TextUnit {
  readonly id: string
  readonly title: string
  readonly text: string
}

interface MatchedChunks {
  readonly rowsOf: ReadonlyMap<string, readonly number[]>
  readonly counts: Readonly<
    Record<'chunksById' | 'chunksByHash' | 'chunksByOverlap' | 'unknownChunks', number>
  >
}

/**
 * Matches ids by equality, else by the hash of a text (GraphRAG: SHA-512; LightRAG and HippoRAG: `chunk-` and MD5),
 * else by overlap. An equal id with another text is no match. `byId` has rows by id, if an id may name several.
 */
export function matchChunks(
  units: readonly TextUnit[],
  ids: Iterable<string>,
  texts: ReadonlyMap<string, string> = new Map(),
  byId: ReadonlyMap<string, readonly number[]> = new Map(units.map(({ id }, row) => [id, [row]])),
): MatchedChunks {
  const byHash = once(() => hashesOf(units))
  const overlapping = once(() => indexSequences(units))
  const rowsOf = new Map<string, readonly number[]>()
  const counts = { chunksById: 0, chunksByHash: 0, chunksByOverlap: 0, unknownChunks: 0 }
  for (const id of new Set(ids)) {
    const text = texts.get(id)
    const named = byId.get(id) ?? []
    const same = text === undefined ? named : named.filter(holdsText(text))
    const equal = same.length > 0 ? same : undefined
    const hashed = equal ?? (HASH.test(id) ? byHash().get(id) : undefined)
    const rows = hashed ?? (text === undefined ? [] : overlapping()(text))
    if (rows.length > 0) rowsOf.set(id, rows)
    counts[
      equal ? 'chunksById' : hashed ? 'chunksByHash' : rows.length > 0 ? 'chunksByOverlap' : 'unknownChunks'
    ]++
  }
  return { rowsOf, counts }

  function holdsText(text: string): (row: number) => boolean {
    const words = plainWords(text).join(' ')
    const near = once(() => new Set(overlapping()(text)))
    return (row) => {
      const text = plainWords(units[row].text).join(' ')
      return words.includes(text) || text.includes(words) || near().has(row)
    }
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const HASH = /^(?:[0-9a-f]{128}|(?:chunk-)?[0-9a-f]{32})$/

function hashesOf(units: readonly TextUnit[]): Map<string, number[]> {
  const rows = new Map<string, number[]>()
  units.forEach(({ title, text }, row) => {
    for (const form of new Set([text, text.trim(), `${title}\n${text}`])) {
      const md5 = createHash('md5').update(form).digest('hex')
      for (const hash of [createHash('sha512').update(form).digest('hex'), md5, `chunk-${md5}`]) {
        const hashed = rows.get(hash)
        if (!hashed) rows.set(hash, [row])
        else if (hashed.at(-1) !== row) hashed.push(row)
      }
    }
  })
  return rows
}
