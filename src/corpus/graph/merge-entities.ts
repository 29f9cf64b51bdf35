import { entityKey } from '../../text/entity-key.ts'
import { compareIds } from '../../text/order.ts'
import { buildIncidence, type Incidence } from './csr.ts'
import { addPiece, createDescribe, type Describe } from './describe.ts'
import type { Extraction, Mention } from './extractors/define.ts'

/** The merged entities, sorted by key bytes. */
interface MergedEntities {
  readonly keys: readonly string[]
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly descriptions: readonly string[]
  /** The distinct pieces of a row's description. */
  piecesOf(row: number): readonly string[]
  readonly chunks: Incidence
  /** The row of a name as an extractor spells it, or -1. */
  rowOf(name: string): number
  /** How many entities each extraction mentions, and how many names had no letter or digit. */
  readonly found: readonly { readonly entities: number; readonly emptyNames: number }[]
}

/** Cut of a description that several sources contributed to, in tokens. */
export const MERGED_TOKENS = 500

interface Draft {
  readonly key: string
  readonly name: string
  readonly types: Map<string, number>
  /** What each extraction says of it, by the extraction's index. */
  readonly says: string[][]
}

/**
 * One entity for each key. Its name is the first spelling; the most frequent type wins, equal ones by bytes; an
 * extraction's texts are joined as it asks, those of several extractions by newline, distinct, cut at 500 tokens.
 */
export function mergeEntities(extractions: readonly Extraction[], chunkCount: number): MergedEntities {
  const drafts: Draft[] = []
  const byKey = new Map<string, number>()
  const byName = new Map<string, number>()
  const rows: number[] = []
  const members: number[] = []
  const counts: number[] = []

  function draftOf(name: string): number {
    let number = byName.get(name)
    if (number !== undefined) return number
    const key = entityKey(name)
    number = key === '' ? -1 : (byKey.get(key) ?? -2)
    if (number === -2) {
      number = drafts.length
      drafts.push({ key, name: name.trim(), types: new Map(), says: [] })
      byKey.set(key, number)
    }
    byName.set(name, number)
    return number
  }

  const found = extractions.map(({ mentions, describe }, source) => {
    const mentioned = new Set<number>()
    let emptyNames = 0
    for (const { name, chunk, count, type, text } of inChunkOrder(mentions)) {
      const number = draftOf(name)
      if (number < 0) {
        emptyNames++
        continue
      }
      mentioned.add(number)
      const { types, says } = drafts[number]
      if (type) types.set(type, (types.get(type) ?? 0) + count)
      if (text) {
        says[source] ??= []
        addPiece(says[source], text, describe.tokens)
      }
      if (chunk < 0) continue
      rows.push(number)
      members.push(chunk)
      counts.push(count)
    }
    return { entities: mentioned.size, emptyNames }
  })

  const describe = createDescribe()
  const order = drafts.map((_, number) => number).sort((a, b) => compareIds(drafts[a].key, drafts[b].key))
  const sortedRow = new Uint32Array(drafts.length)
  order.forEach((number, row) => {
    sortedRow[number] = row
  })
  const sorted = order.map((number) => drafts[number])
  return {
    keys: sorted.map(({ key }) => key),
    names: sorted.map(({ name }) => name),
    types: sorted.map(({ types }) => mostFrequent(types)),
    descriptions: sorted.map(({ says }) => merged(says, extractions, describe)),
    piecesOf: (row) => [...new Set(sorted[row].says.flat())],
    chunks: buildIncidence(
      drafts.length,
      { rows: rows.map((number) => sortedRow[number]), members, counts },
      chunkCount,
    ),
    rowOf(name) {
      const number = byName.get(name) ?? byKey.get(entityKey(name)) ?? -1
      return number < 0 ? -1 : sortedRow[number]
    },
    found,
  }
}

function merged(says: readonly string[][], extractions: readonly Extraction[], describe: Describe): string {
  const texts: string[] = []
  says.forEach((pieces, source) => {
    const { separator, tokens } = extractions[source].describe
    addPiece(texts, describe(pieces, separator, tokens), MERGED_TOKENS)
  })
  return texts.length === 1 ? texts[0] : describe(texts, '\n', MERGED_TOKENS)
}

function mostFrequent(types: ReadonlyMap<string, number>): string {
  let best = ''
  let max = 0
  for (const [type, count] of types)
    if (count > max || (count === max && compareIds(type, best) < 0)) {
      best = type
      max = count
    }
  return best
}

/** Extractors go through chunks in order nearly always; stored results may not. Mentions in no chunk come first. */
export function inChunkOrder<T extends Pick<Mention, 'chunk'>>(items: readonly T[]): readonly T[] {
  let ordered = true
  for (let i = 1; i < items.length && ordered; i++) ordered = items[i - 1].chunk <= items[i].chunk
  return ordered ? items : [...items].sort((a, b) => a.chunk - b.chunk)
}
