import { createHash } from 'node:crypto'
import { indexSequences, plainWords } from '../../shared-sequences.ts'

interface Unit {
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
 * Matches ids by equality, else by the hash of a text (GraphRAG: SHA-512; LightRAG and HippoRAG: `chunk-` and MD5), else
 * by overlap: half of the 5-word sequences of the shorter text. An equal id with another text is no match. `byId` has
 * rows by id, if an id may name several.
 */
export function matchChunks(
  units: readonly Unit[],
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

function hashesOf(units: readonly Unit[]): Map<string, number[]> {
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
