import { addToSet } from '../../maps.ts'
import { quoted } from '../../models/vector-problem.ts'
import { entityKey } from '../../text/entity-key.ts'
import { compareIds } from '../../text/ids.ts'
import { buildIncidence, type Incidence } from './csr.ts'
import { addPiece, createDescribe, type Describe } from './describe.ts'
import type { Extraction, Mention } from './extractors/index.ts'

/** The merged entities, sorted by key bytes. */
interface MergedEntities {
  readonly keys: readonly string[]
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly descriptions: readonly string[]
  readonly chunks: Incidence
  /** Row of a name as an extraction spells it, or -1; with exact names only the row of that very name. */
  rowOf(name: string, names?: Extraction['names']): number
  readonly found: readonly FoundEntities[]
}

interface FoundEntities {
  readonly entities: number
  readonly emptyNames: number
  /** Groups of spellings of one entity that differ in more than letter case and spaces, largest group first. */
  readonly merged: readonly (readonly string[])[]
}

/** Maximum tokens of a description from several sources. */
export const MERGED_TOKENS = 500

interface Draft {
  readonly key: string
  readonly name: string
  readonly types: Map<string, number>
  readonly says: string[][]
}

/**
 * Makes one entity per key: `entityKey` of the name, or the name itself if an extraction with exact names has several
 * names of that key. Its name is the first spelling, its type the most frequent one. Distinct texts are joined, cut at
 * 500 tokens.
 */
export function mergeEntities(extractions: readonly Extraction[], chunkCount: number): MergedEntities {
  const drafts: Draft[] = []
  const byKey = new Map<string, number>()
  const byName = new Map<string, number>()
  const rows: number[] = []
  const members: number[] = []
  const counts: number[] = []

  function addDraft(key: string, name: string): number {
    drafts.push({ key, name, types: new Map(), says: [] })
    return drafts.length - 1
  }
  // Exact names come first, so that other extractors' names find the entity of that spelling.
  for (const [key, names] of exactNames(extractions))
    for (const name of names) {
      const number = addDraft(names.size === 1 ? key : name, name)
      byName.set(name, number)
      if (!byKey.has(key)) byKey.set(key, number)
    }

  function draftOf(name: string): number {
    let number = byName.get(name) ?? byName.get(name.trim())
    if (number === undefined) {
      const key = entityKey(name)
      number = key === '' ? -1 : (byKey.get(key) ?? addDraft(key, name.trim()))
      if (number >= 0) byKey.set(key, number)
    }
    byName.set(name, number)
    return number
  }

  const found = extractions.map(({ mentions, describe }, source) => {
    const mentioned = new Set<number>()
    const spellings = new Map<number, Set<string>>()
    let emptyNames = 0
    for (const { name, chunk, count, type, text } of inChunkOrder(mentions)) {
      const number = draftOf(name)
      if (number < 0) {
        emptyNames++
        continue
      }
      mentioned.add(number)
      addToSet(spellings, number, name)
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
    return { entities: mentioned.size, emptyNames, merged: mergedNames(spellings.values()) }
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
    chunks: buildIncidence(
      drafts.length,
      { rows: rows.map((number) => sortedRow[number]), members, counts },
      chunkCount,
    ),
    rowOf(name, names) {
      const spelled = byName.get(name) ?? byName.get(name.trim())
      const number = spelled ?? (names === 'exact' ? -1 : byKey.get(entityKey(name))) ?? -1
      return number < 0 ? -1 : sortedRow[number]
    },
    found,
  }
}

function exactNames(extractions: readonly Extraction[]): Map<string, Set<string>> {
  const byKey = new Map<string, Set<string>>()
  for (const { names, mentions } of extractions) {
    if (names !== 'exact') continue
    for (const { name } of mentions) {
      const key = entityKey(name)
      if (key === '') continue
      addToSet(byKey, key, name.trim())
    }
  }
  return byKey
}

/** Groups of names that `entityKey` makes one though they differ in more than letter case and spaces, largest first. */
export function namesByKey(names: Iterable<string>): string[][] {
  const byKey = new Map<string, Set<string>>()
  for (const name of new Set(names)) {
    const key = entityKey(name)
    if (key !== '') byKey.set(key, (byKey.get(key) ?? new Set()).add(name))
  }
  return mergedNames(byKey.values())
}

const SHOWN = 5

/** Says how many names became one entity with others, with the largest groups; empty if none did. */
export function mergedInWords(groups: readonly (readonly string[])[]): string[] {
  if (groups.length === 0) return []
  const names = groups.reduce((sum, group) => sum + group.length, 0)
  const shown = groups.slice(0, SHOWN).map((group) => {
    const listed = group.slice(0, SHOWN).map(quoted).join(' = ')
    return group.length > SHOWN ? `${listed} and ${group.length - SHOWN} more` : listed
  })
  if (groups.length > SHOWN) shown.push('...')
  return [`${names} names that differ by signs became ${groups.length} entities: ${shown.join('; ')}`]
}

function mergedNames(spellings: Iterable<ReadonlySet<string>>): string[][] {
  const groups: string[][] = []
  for (const names of spellings) {
    if (names.size === 1) continue
    const distinct = new Map([...names].map((name) => [caseless(name), name.trim()]))
    if (distinct.size > 1) groups.push([...distinct.values()].sort(compareIds))
  }
  return groups.sort((a, b) => b.length - a.length || compareIds(a[0], b[0]))
}

function caseless(name: string): string {
  return name.toLowerCase().trim().replace(/\s+/g, ' ')
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

/** Sorts by chunk; mentions without a chunk come first. Most extractions are in order already. */
export function inChunkOrder<T extends Pick<Mention, 'chunk'>>(items: readonly T[]): readonly T[] {
  let ordered = true
  for (let i = 1; i < items.length && ordered; i++) ordered = items[i - 1].chunk <= items[i].chunk
  return ordered ? items : [...items].sort((a, b) => a.chunk - b.chunk)
}
