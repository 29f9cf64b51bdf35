import { basename, extname } from 'node:path'
import { UserError } from '../../../errors.ts'
import { addTo } from '../../../maps.ts'
import { quoted } from '../../../models/embedder.ts'
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
  readonly texts?: ReadonlyMap<string, string>
  readonly notices?: Readonly<Record<string, number>>
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
  readonly relation: string
  readonly keywords: string
  readonly weight: number
}

export const fromFiles = (open: () => ForeignGraph | Promise<ForeignGraph>) => ({
  check: async (documents: readonly Document[]) => checkOver(await open(), documents),
  extract: async ({ chunks }: { readonly chunks: readonly Chunk[] }) => overChunks(await open(), chunks),
})

/**
 * Graph of another program over the chunks here. If it names no chunk, its entities are searched in the texts. Throws
 * a UserError if nothing of the graph is in this corpus.
 */
export function overChunks(graph: ForeignGraph, chunks: readonly Chunk[]): Extraction {
  const { entities, relationships } = graph
  const ids = chunkIds(graph)
  const { rowsOf, counts } = matchChunks(chunks, ids, graph.texts)
  const named = ids.length === 0 ? chunksByName(entities, chunks) : undefined
  const keys = new Map<number, string>()
  const holds = (row: number, name: string) => {
    const key = keys.get(row) ?? ` ${spacedKey(`${chunks[row].title} ${chunks[row].text}`)} `
    keys.set(row, key)
    return key.includes(` ${spacedKey(name)} `)
  }
  /** A foreign chunk may be several here: those that hold one of the names, else all. */
  const chunkRows = (ids: readonly string[], names: readonly string[]) => {
    const rows = ids.flatMap((id) => {
      const all = rowsOf.get(id) ?? []
      const holding = all.length < 2 ? all : all.filter((row) => names.some((name) => holds(row, name)))
      return holding.length > 0 ? holding : all
    })
    return [...new Set(rows)]
  }
  const notices = {
    danglingRelationships: 0,
    entitiesWithoutChunks: 0,
    entitiesWithoutDescription: entities.filter(({ description }) => description === '').length,
    repeatedNames: repeatedNames(entities).length,
    repeatedRelationships: 0,
  }
  const mentions = entities.flatMap(({ name, type, description, chunks: ids }): Mention[] => {
    const rows = named ? (named.get(name) ?? []) : chunkRows(ids, [name])
    if (rows.length === 0) notices.entitiesWithoutChunks++
    const mention = { name, count: 1, ...(type !== '' && { type }) }
    return [
      { ...mention, chunk: rows[0] ?? -1, ...(description !== '' && { text: description }) },
      ...rows.slice(1).map((chunk) => ({ ...mention, chunk })),
    ]
  })
  const isDangling = danglingOf(entities)
  const links: Link[] = []
  const pairs = new Set<string>()
  for (const relationship of relationships) {
    if (isDangling(relationship)) {
      notices.danglingRelationships++
      continue
    }
    const { source, target, relation, keywords, description, weight } = relationship
    const pair = JSON.stringify([source.trim(), target.trim()])
    if (pairs.has(pair)) notices.repeatedRelationships++
    pairs.add(pair)
    const [chunk = -1, ...alsoIn] = chunkRows(relationship.chunks, [source, target])
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

function chunkIds({ entities, relationships }: ForeignGraph): string[] {
  return [...entities, ...relationships].flatMap(({ chunks }) => chunks)
}

function danglingOf(entities: readonly ForeignEntity[]) {
  const names = new Set(entities.map(({ name }) => name.trim()))
  return ({ source, target }: ForeignRelationship) => !names.has(source.trim()) || !names.has(target.trim())
}

function ofAnotherCorpus({ file }: ForeignGraph, ids: readonly string[], units: readonly Unit[]): UserError {
  const message =
    ids.length === 0
      ? 'belongs to another corpus: it names no chunk, and none of its names is in a text here'
      : `belongs to another corpus: none of its ${new Set(ids).size} chunk ids is a chunk or the hash of one here (its first: ${quoted(ids[0])}, ours: ${quoted(units[0]?.id ?? '')})`
  return new UserError(message, file)
}

type Unit = Pick<Document, 'id' | 'title' | 'text'>

function repeatedNames(entities: readonly ForeignEntity[]): string[] {
  const names = entities.map(({ name }) => name.trim())
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name).size)
}

function chunksByName(entities: readonly ForeignEntity[], units: readonly Unit[]): Map<string, number[]> {
  const index = indexKeys(entities.map(({ name }) => [spacedKey(name)].filter((key) => key !== '')))
  const rowsByName = new Map<string, number[]>()
  units.forEach(({ title, text }, row) => {
    const words = spacedKey(`${title}\n${text}`).split(' ')
    for (const key of new Set(findKeys(words, index).map(({ key }) => key)))
      for (const entity of index.rows.get(key) ?? []) addTo(rowsByName, entities[entity].name, row)
  })
  return rowsByName
}

/** From this share and number of relationships on, an entity is called a hub. */
const HUB = { share: 0.05, least: 1000 }

/** Sentences on matches, losses and hubs. Throws a UserError if nothing of the graph is in the documents. */
function checkOver(graph: ForeignGraph, documents: readonly Document[]): string[] {
  const ours = new Set(documents.map(({ id }) => id))
  const documentOf = (id: string) => (ours.has(id) ? id : id.replace(/#\d+$/, ''))
  const unitOf = (id: string) => (ours.has(documentOf(id)) ? documentOf(id) : id)
  const { entities, relationships } = graph
  const ids = chunkIds(graph)
  const { counts, rowsOf } = matchChunks(documents, ids.map(unitOf), graph.texts)
  const isKnown =
    ids.length === 0
      ? chunksByName(entities, documents).size > 0
      : entities.some(({ chunks }) => chunks.some((id) => rowsOf.has(unitOf(id))))
  if (documents.length > 0 && entities.length > 0 && !isKnown) throw ofAnotherCorpus(graph, ids, documents)
  const degrees = new Map<string, number>()
  for (const { source, target } of relationships)
    for (const end of [source, target]) degrees.set(end, (degrees.get(end) ?? 0) + 1)
  const all = relationships.length
  const dangling = relationships.filter(danglingOf(entities)).length
  const badWeights = relationships.filter(({ weight }) => !(weight >= 0 && Number.isFinite(weight))).length
  const repeated = repeatedNames(entities)
  const hubs = [...degrees].filter(([, degree]) => degree >= HUB.least && degree > HUB.share * all)
  const sentences = [
    ids.length > 0
      ? `its chunks are matched ${inWords(counts)}`
      : 'it names no chunk; its entities are looked for in the texts by name',
    graph.remark,
    dangling > 0 && `${dangling} of ${all} relationships end at no entity and are left out`,
    badWeights > 0 &&
      `${badWeights} of ${all} relationships have a weight that is no number of 0 or more and are left out`,
    repeated.length > 0 &&
      `${repeated.length} of ${entities.length} entities have the name of another one (the first: ${quoted(repeated[0])}); equal names become one entity`,
    ...Object.entries(graph.notices ?? {}).map(
      ([kind, count]) =>
        count > 0 && `${count} ${kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
    ),
    ...hubs.map(
      ([name, degree]) =>
        `${quoted(name)} has ${degree} of ${all} relationships: walks through it reach nearly everything`,
    ),
  ]
  return sentences.flatMap((sentence) => (sentence ? [`${basename(graph.file)}: ${sentence}`] : []))
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
  throw new UserError(
    `is a pickle of a Python object, and opening one runs the code that it names. Export it where you trust it: python -c "import igraph; ${exported}('${basename(path)}').write_graphml('graph.graphml')", then \`graph: {graphml: graph.graphml}\``,
    path,
  )
}
