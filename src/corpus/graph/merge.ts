import { addToSet, createWordCodes } from '../../maps.ts'
import { quoted } from '../../models/embedder.ts'
import { entityKey } from '../../text/entity-key.ts'
import { compareIds } from '../../text/ids.ts'
import { createAnalyzer, ENGLISH, type TextProfile } from '../../text/tokenize.ts'
import { cutTokens, tokenEnds } from '../../text/tokens.ts'
import { buildIncidence } from './csr.ts'
import type { Extraction } from './extractors/index.ts'

type RowOf = (name: string, names?: Extraction['names']) => number

/** Maximum tokens of a description from several sources. */
const MERGED_TOKENS = 500

interface Draft {
  readonly key: string
  readonly name: string
  readonly types: Map<string, number>
  readonly says: string[][]
}

/**
 * Makes one entity per key: `entityKey` of the name, or the name itself if an extraction with exact names has several
 * names of that key. Rows are sorted by key bytes. `found` has the counts of each extraction, with the number of names
 * that became one entity with another.
 */
export function mergeEntities(extractions: readonly Extraction[], chunkCount: number) {
  const drafts: Draft[] = []
  const byKey = new Map<string, number>()
  const byName = new Map<string, number>()
  const rows: number[] = []
  const members: number[] = []
  const counts: number[] = []

  const addDraft = (key: string, name: string) =>
    drafts.push({ key, name, types: new Map(), says: extractions.map(() => []) }) - 1
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

  const merged = extractions.map(({ mentions, describe }, source) => {
    const mentioned = new Set<number>()
    const spellings = new Map<number, Set<string>>()
    let emptyNames = 0
    for (const { name, chunk, count, type, text = '' } of inChunkOrder(mentions)) {
      const number = draftOf(name)
      if (number < 0) {
        emptyNames++
        continue
      }
      mentioned.add(number)
      addToSet(spellings, number, name)
      const { types, says } = drafts[number]
      if (type) types.set(type, (types.get(type) ?? 0) + count)
      addPiece(says[source], text, describe.tokens)
      if (chunk < 0) continue
      rows.push(number)
      members.push(chunk)
      counts.push(count)
    }
    const mergedNames = mergedGroups(spellings.values()).reduce((sum, names) => sum + names.length - 1, 0)
    return { entities: mentioned.size, emptyNames, mergedNames }
  })

  const describe = createDescribe()
  const order = drafts.map((_, number) => number).sort((a, b) => compareIds(drafts[a].key, drafts[b].key))
  const sortedRow = new Uint32Array(drafts.length)
  order.forEach((number, row) => {
    sortedRow[number] = row
  })
  const sorted = order.map((number) => drafts[number])
  const rowsAndChunks = { rows: rows.map((number) => sortedRow[number]), members, counts }
  return {
    keys: sorted.map(({ key }) => key),
    names: sorted.map(({ name }) => name),
    types: sorted.map(({ types }) => mostFrequent(types)),
    descriptions: sorted.map(({ says }) => {
      const texts: string[] = []
      extractions.forEach(({ describe: { separator, tokens } }, source) => {
        addPiece(texts, describe(says[source], separator, tokens), MERGED_TOKENS)
      })
      return texts.length === 1 ? texts[0] : describe(texts, '\n', MERGED_TOKENS)
    }),
    chunks: buildIncidence(drafts.length, rowsAndChunks, chunkCount),
    rowOf(name: string, names?: Extraction['names']): number {
      const spelled = byName.get(name) ?? byName.get(name.trim())
      const number = spelled ?? (names === 'exact' ? -1 : byKey.get(entityKey(name))) ?? -1
      return number < 0 ? -1 : sortedRow[number]
    },
    found: merged,
  }
}

function exactNames(extractions: readonly Extraction[]): Map<string, Set<string>> {
  const byKey = new Map<string, Set<string>>()
  for (const { names, mentions } of extractions)
    for (const { name } of names === 'exact' ? mentions : []) {
      const key = entityKey(name)
      if (key !== '') addToSet(byKey, key, name.trim())
    }
  return byKey
}

/** Groups of names with one key that differ in more than letter case and spaces, largest first. */
export function namesByKey(names: Iterable<string>): string[][] {
  const byKey = new Map<string, Set<string>>()
  for (const name of names) {
    const key = entityKey(name)
    if (key !== '') addToSet(byKey, key, name)
  }
  return mergedGroups(byKey.values())
}

function mergedGroups(spellings: Iterable<ReadonlySet<string>>): string[][] {
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

const SHOWN = 5

/** Sentence on the names that became one entity with others; none if there are none. */
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

function mostFrequent(types: ReadonlyMap<string, number>): string {
  const [best] = [...types].sort(([a, m], [b, n]) => n - m || compareIds(a, b))
  return best?.[0] ?? ''
}

interface FoundLinks {
  readonly relationships: number
  readonly danglingRelationships: number
  /** Links of an entity to itself; they are kept as facts. */
  readonly selfRelationships: number
  readonly badWeights: number
}

/** One relationship per ordered pair: weights are summed, distinct descriptions joined in chunk order. */
export function mergeRelationships(
  extractions: readonly Extraction[],
  rowOf: RowOf,
  entities: number,
  chunkCount: number,
  profile: TextProfile = ENGLISH,
) {
  const byPair = new Map<number, number>()
  const sources: number[] = []
  const targets: number[] = []
  const weights: number[] = []
  const descriptions: string[][] = []
  const predicates: string[][] = []
  const relations: string[][] = []
  const mentions: { rows: number[]; members: number[] } = { rows: [], members: [] }

  function rowOfPair(from: number, to: number): number {
    const pair = from * entities + to
    const row = byPair.get(pair)
    if (row !== undefined) return row
    byPair.set(pair, sources.length)
    targets.push(to)
    weights.push(0)
    for (const lists of [descriptions, predicates, relations]) lists.push([])
    return sources.push(from) - 1
  }

  const linksBySource = extractions.map(({ links, names }): FoundLinks => {
    const touched = new Set<number>()
    const skipped = { danglingRelationships: 0, selfRelationships: 0, badWeights: 0 }
    for (const link of inChunkOrder(links)) {
      const { source, target, predicate, relation, chunk, weight, description, alsoIn = [] } = link
      const from = rowOf(source, names)
      const to = rowOf(target, names)
      if (from < 0 || to < 0) skipped.danglingRelationships++
      else if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) skipped.badWeights++
      else if (from === to) skipped.selfRelationships++
      else {
        const row = rowOfPair(from, to)
        touched.add(row)
        weights[row] += weight
        const piece = description ?? `${source} ${predicate} ${target}`.replace(/ {2,}/g, ' ')
        addPiece(descriptions[row], piece, MERGED_TOKENS)
        addPiece(predicates[row], predicate, MERGED_TOKENS)
        if (relation !== undefined && !relations[row].includes(relation)) relations[row].push(relation)
        for (const at of [chunk, ...alsoIn]) {
          if (at < 0) continue
          mentions.rows.push(row)
          mentions.members.push(at)
        }
      }
    }
    return { relationships: touched.size, ...skipped }
  })
  const describe = createDescribe()
  const contentWords = createAnalyzer({ ...profile, stemmer: false, stopwords: true })
  return {
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    weights: Float64Array.from(weights),
    descriptions: descriptions.map((pieces) => describe(pieces, '\n', MERGED_TOKENS)),
    keywords: predicates.map((texts) => {
      const words: string[] = []
      for (const word of texts.flatMap(contentWords)) addPiece(words, word, MERGED_TOKENS)
      return describe(words, ', ', MERGED_TOKENS)
    }),
    relations,
    chunks: buildIncidence(sources.length, mentions, chunkCount),
    found: linksBySource,
  }
}

/** HippoRAG's facts: distinct links with their counts, also those of an entity with itself; sorted by subject, predicate and object. */
export function mergeFacts(extractions: readonly Extraction[], rowOf: RowOf) {
  const subjects: number[] = []
  const objects: number[] = []
  const predicates: number[] = []
  const { words: keys, codeOf } = createWordCodes()
  const keyOf = new Map<string, string>()
  for (const { links, names } of extractions)
    for (const { source, target, predicate } of links) {
      const from = rowOf(source, names)
      const to = rowOf(target, names)
      if (from < 0 || to < 0) continue
      const key = keyOf.get(predicate) ?? entityKey(predicate)
      keyOf.set(predicate, key)
      subjects.push(from)
      objects.push(to)
      predicates.push(codeOf(key))
    }
  const ranks = new Uint32Array(keys.length)
  const sorted = keys.map((_, code) => code).sort((a, b) => compareIds(keys[a], keys[b]))
  sorted.forEach((code, rank) => {
    ranks[code] = rank
  })
  const compare = (a: number, b: number) =>
    subjects[a] - subjects[b] || ranks[predicates[a]] - ranks[predicates[b]] || objects[a] - objects[b]
  const first: number[] = []
  const counts: number[] = []
  for (const link of Uint32Array.from(subjects.keys()).sort(compare)) {
    if (first.length > 0 && compare(first[first.length - 1], link) === 0) counts[counts.length - 1]++
    else {
      first.push(link)
      counts.push(1)
    }
  }
  return {
    subjects: Uint32Array.from(first, (link) => subjects[link]),
    predicates: first.map((link) => keys[predicates[link]]),
    objects: Uint32Array.from(first, (link) => objects[link]),
    counts: Uint32Array.from(counts),
  }
}

function inChunkOrder<T extends { readonly chunk: number }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => a.chunk - b.chunk)
}

/** Adds a piece of a description that is new and not empty. Pieces after `tokens` pieces would be cut anyway. */
function addPiece(pieces: string[], text: string, tokens: number): void {
  if (text !== '' && pieces.length < tokens && !pieces.includes(text)) pieces.push(text)
}

/** Joins pieces and cuts the text at a number of tokens, which are counted by piece, each with its separator. */
function createDescribe(): (pieces: readonly string[], separator: string, tokens: number) => string {
  const cache = new Map<string, Uint32Array>()
  function endsOf(text: string): Uint32Array {
    const ends = cache.get(text) ?? tokenEnds(text)
    cache.set(text, ends)
    return ends
  }
  return (pieces, separator, limit) => {
    const whole = pieces.join(separator)
    if (whole.length <= limit && Buffer.byteLength(whole) <= limit) return whole
    let used = 0
    for (const [next, piece] of pieces.entries()) {
      const text = separator + piece
      const ends = endsOf(text)
      if (used + ends.length > limit) {
        if (next === 0) return cutTokens(piece, limit)
        const before = pieces.slice(0, next).join(separator)
        return before + text.slice(0, used < limit ? ends[limit - used - 1] : 0)
      }
      used += ends.length
    }
    return whole
  }
}
