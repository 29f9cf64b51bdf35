import { basename, extname } from 'node:path'
import { UserError } from '../../../errors.ts'
import { addTo } from '../../../maps.ts'
import { quoted } from '../../../models/vector-problem.ts'
import { spacedKey } from '../../../text/entity-key.ts'
import type { Chunk, Document } from '../../../types.ts'
import { matchChunks } from '../../match-texts.ts'
import type { Extraction, Link, Mention } from '../extractors/index.ts'
import { findKeys, indexKeys } from '../titles.ts'

/** Graph of another program, as its files hold it. Names are exact. */
export interface ForeignGraph {
  readonly file: string
  readonly entities: readonly ForeignEntity[]
  readonly relationships: readonly ForeignRelationship[]
  /** Texts of that program's chunks by id, if its files hold them. */
  readonly texts?: ReadonlyMap<string, string>
  /** Ids of chunks that may be several ids in one text, with these. */
  readonly joined?: ReadonlyMap<string, readonly string[]>
  readonly notices?: Readonly<Record<string, number>>
  /** Sentence on values that are not read. */
  readonly remark?: string
}

interface ForeignEntity {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly chunks: readonly string[]
}

interface ForeignRelationship extends Omit<ForeignEntity, 'name' | 'type'> {
  readonly source: string
  readonly target: string
  /** Kind of relation; empty if there is none. */
  readonly relation: string
  readonly keywords: string
  readonly weight: number
}

/** An extractor's work on a graph that `open` reads from another program's files. */
export const fromFiles = (open: () => ForeignGraph | Promise<ForeignGraph>) => ({
  check: async (documents: readonly Document[]) => checkOver(await open(), documents),
  extract: async ({ chunks }: { readonly chunks: readonly Chunk[] }) => overChunks(await open(), chunks),
})

/**
 * Graph of another program over the chunks here. Entities of a graph that names no chunk are searched in the texts.
 * Counts what is left out. Throws a UserError if nothing of the graph is in this corpus.
 */
export function overChunks(graph: ForeignGraph, chunks: readonly Chunk[]): Extraction {
  const ours = new Set(chunks.map(({ id }) => id))
  const { entities, relationships, ambiguous } = separated(graph, (id) => ours.has(id))
  const ids = [...entities, ...relationships].flatMap(({ chunks }) => chunks)
  const { rowsOf, counts } = matchChunks(chunks, ids, graph.texts)
  const named = ids.length === 0 ? chunksByName(entities, chunks) : undefined
  const keys = new Map<number, string>()
  const textOf = (row: number) => {
    const key = keys.get(row) ?? ` ${spacedKey(`${chunks[row].title} ${chunks[row].text}`)} `
    keys.set(row, key)
    return key
  }
  /** A foreign chunk may be several here: those that hold one of the names, else all. */
  const chunkRows = (ids: readonly string[], names: readonly string[]) => {
    const rows = ids.flatMap((id) => {
      const all = rowsOf.get(id) ?? []
      if (all.length < 2) return all
      const holding = all.filter((row) => names.some((name) => textOf(row).includes(` ${spacedKey(name)} `)))
      return holding.length > 0 ? holding : all
    })
    return [...new Set(rows)]
  }
  const notices = {
    ...(ambiguous > 0 && { ambiguousChunkIds: ambiguous }),
    danglingRelationships: 0,
    entitiesWithoutChunks: 0,
    entitiesWithoutDescription: 0,
    repeatedNames: repeatedNames(entities).count,
    repeatedRelationships: 0,
  }
  const mentions = entities.flatMap(({ name, type, description, chunks: ids }): Mention[] => {
    const rows = named ? (named.get(name) ?? []) : chunkRows(ids, [name])
    if (rows.length === 0) notices.entitiesWithoutChunks++
    if (description === '') notices.entitiesWithoutDescription++
    const mention = { name, count: 1, ...(type !== '' && { type }) }
    return [
      { ...mention, chunk: rows[0] ?? -1, ...(description !== '' && { text: description }) },
      ...rows.slice(1).map((chunk) => ({ ...mention, chunk })),
    ]
  })
  const entityNames = new Set(entities.map(({ name }) => name.trim()))
  const links: Link[] = []
  const pairs = new Set<string>()
  for (const { source, target, relation, keywords, description, weight, chunks: ids } of relationships) {
    if (!entityNames.has(source.trim()) || !entityNames.has(target.trim())) {
      notices.danglingRelationships++
      continue
    }
    const pair = JSON.stringify([source.trim(), target.trim()])
    if (pairs.has(pair)) notices.repeatedRelationships++
    pairs.add(pair)
    const [chunk = -1, ...alsoIn] = chunkRows(ids, [source, target])
    const predicate = keywords || relation.replaceAll('_', ' ') || description
    links.push({
      source,
      target,
      predicate,
      weight,
      chunk,
      alsoIn,
      ...(relation !== '' && { relation }),
      ...(description !== '' && { description }),
    })
  }
  if (chunks.length > 0 && entities.length > 0 && mentions.every(({ chunk }) => chunk < 0))
    throw ofAnotherCorpus(graph, ids, chunks)
  const matches = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
  return {
    mentions,
    links,
    names: 'exact',
    describe: { separator: '\n', tokens: 500 },
    notices: { ...graph.notices, ...matches, ...notices },
  }
}

/**
 * Cuts texts of several chunk ids into these, unless the whole text is an id. `ambiguous` counts texts that are an id as
 * a whole and in parts; they stay whole.
 */
function separated<G extends ForeignGraph>(graph: G, isOurs: (id: string) => boolean) {
  const { entities, relationships, joined, texts } = graph
  if (!joined) return { entities, relationships, ambiguous: 0 }
  const isKnown = (id: string) => isOurs(id) || texts?.has(id) === true
  const ids = new Map([...joined].map(([whole, parts]) => [whole, isKnown(whole) ? [whole] : parts]))
  const cut = <T extends { readonly chunks: readonly string[] }>(row: T): T => {
    return { ...row, chunks: [...new Set(row.chunks.flatMap((id) => ids.get(id) ?? [id]))] }
  }
  const isAmbiguous = ([whole, parts]: readonly [string, readonly string[]]) =>
    isKnown(whole) && parts.some(isKnown)
  return {
    entities: entities.map(cut),
    relationships: relationships.map(cut),
    ambiguous: [...joined].filter(isAmbiguous).length,
  }
}

function ofAnotherCorpus({ file }: ForeignGraph, ids: readonly string[], units: readonly Unit[]): UserError {
  const message =
    ids.length === 0
      ? 'belongs to another corpus: it names no chunk, and none of its names is in a text here'
      : `belongs to another corpus: none of its ${new Set(ids).size} chunk ids is a chunk or the hash of one here (its first: ${quoted(ids[0])}, ours: ${quoted(units[0]?.id ?? '')})`
  return new UserError({ file, message })
}

type Unit = Pick<Document, 'id' | 'title' | 'text'>

function repeatedNames(entities: readonly ForeignEntity[]): {
  readonly count: number
  readonly first: string
} {
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const { name } of entities) {
    if (seen.has(name.trim())) repeated.push(name.trim())
    seen.add(name.trim())
  }
  return { count: repeated.length, first: repeated[0] ?? '' }
}

function chunksByName(entities: readonly ForeignEntity[], units: readonly Unit[]): Map<string, number[]> {
  const index = indexKeys(entities.map(({ name }) => [spacedKey(name)].filter((key) => key !== '')))
  const rowsByName = new Map<string, number[]>()
  units.forEach(({ title, text }, row) => {
    const words = spacedKey(`${title}\n${text}`).split(' ')
    const keys = new Set(findKeys(words, index).map(({ key }) => key))
    for (const key of keys)
      for (const entity of index.rows.get(key) ?? []) {
        const { name } = entities[entity]
        addTo(rowsByName, name, row)
      }
  })
  return rowsByName
}

/** Share of all relationships, and number of them, from which on an entity is called a hub. */
const HUB = { share: 0.05, least: 1000 }

/** Sentences on matches, losses and hubs. Throws a UserError if nothing of the graph is in the documents. */
function checkOver(graph: ForeignGraph, documents: readonly Document[]): string[] {
  const { notices = {} } = graph
  // A chunk's number within its document is not known before documents are cut.
  const ours = new Set(documents.map(({ id }) => id))
  const documentOf = (id: string) => (ours.has(id) ? id : id.replace(/#\d+$/, ''))
  const { entities, relationships, ambiguous } = separated(graph, (id) => ours.has(documentOf(id)))
  const ids = [...entities, ...relationships].flatMap(({ chunks }) => chunks)
  const unitOf = (id: string) => (ours.has(documentOf(id)) ? documentOf(id) : id)
  const { counts, rowsOf } = matchChunks(documents, ids.map(unitOf), graph.texts)
  const isKnown =
    ids.length === 0
      ? chunksByName(entities, documents).size > 0
      : entities.some(({ chunks }) => chunks.some((id) => rowsOf.has(unitOf(id))))
  if (documents.length > 0 && entities.length > 0 && !isKnown) throw ofAnotherCorpus(graph, ids, documents)
  const entityNames = new Set(entities.map(({ name }) => name.trim()))
  const degrees = new Map<string, number>()
  let dangling = 0
  for (const { source, target } of relationships) {
    if (!entityNames.has(source.trim()) || !entityNames.has(target.trim())) dangling++
    for (const end of [source, target]) degrees.set(end, (degrees.get(end) ?? 0) + 1)
  }
  const sentences = [
    ids.length > 0
      ? `its chunks are matched ${inWords(counts)}`
      : 'it names no chunk; its entities are looked for in the texts by name',
  ]
  if (graph.remark !== undefined) sentences.push(graph.remark)
  if (dangling > 0)
    sentences.push(`${dangling} of ${relationships.length} relationships end at no entity and are left out`)
  if (ambiguous > 0)
    sentences.push(
      `${ambiguous} chunk ids hold a separator, and their parts are ids too; each is read as one id`,
    )
  const badWeights = relationships.filter(({ weight }) => !(weight >= 0 && Number.isFinite(weight))).length
  if (badWeights > 0)
    sentences.push(
      `${badWeights} of ${relationships.length} relationships have a weight that is no number of 0 or more and are left out`,
    )
  const repeated = repeatedNames(entities)
  if (repeated.count > 0)
    sentences.push(
      `${repeated.count} of ${entities.length} entities have the name of another one (the first: ${quoted(repeated.first)}); equal names become one entity`,
    )
  for (const [what, count] of Object.entries(notices))
    if (count > 0)
      sentences.push(`${count} ${what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
  for (const [name, degree] of degrees)
    if (degree >= HUB.least && degree > HUB.share * relationships.length)
      sentences.push(
        `${quoted(name)} has ${degree} of ${relationships.length} relationships: walks through it reach nearly everything`,
      )
  return sentences.map((sentence) => `${basename(graph.file)}: ${sentence}`)
}

function inWords(counts: ReturnType<typeof matchChunks>['counts']): string {
  const { chunksById, chunksByHash, chunksByOverlap, unknownChunks } = counts
  const matches = [
    [chunksById, 'by id'],
    [chunksByHash, 'by the hash of their text'],
    [chunksByOverlap, 'by overlap of their text'],
    [unknownChunks, 'not at all'],
  ] as const
  return matches
    .filter(([count]) => count > 0)
    .map(([count, how]) => `${how} (${count})`)
    .join(', ')
}

/** Throws a UserError for a pickle: opening one runs the code that it names. */
export function refusePickle(path: string): void {
  if (!/^\.(?:pickle|pkl|pklz|p)$/i.test(extname(path))) return
  const exported = /\.pklz$/i.test(path) ? 'igraph.Graph.Read_Picklez' : 'igraph.Graph.Read_Pickle'
  throw new UserError({
    file: path,
    message: `is a pickle of a Python object, and opening one runs the code that it names. Export it where you trust it: python -c "import igraph; ${exported}('${basename(path)}').write_graphml('graph.graphml')", then \`graph: {graphml: graph.graphml}\``,
  })
}
