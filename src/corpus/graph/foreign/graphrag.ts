import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { UserError } from '../../../errors.ts'
import { addTo } from '../../../maps.ts'
import { hashFile } from '../../../store/input.ts'
import { readForeignTable } from '../../../tables/foreign.ts'
import type { TableBuilder } from '../../../tables/table.ts'
import { printedLists } from '../../../text/json.ts'
import type { ForeignGraph } from './graph.ts'

/** Table of a GraphRAG folder: `NAME.parquet`, before version 2.0 `create_final_NAME.parquet`. */
function graphragFile(folder: string, name: string): string {
  const [old, current] = [join(folder, `create_final_${name}.parquet`), join(folder, `${name}.parquet`)]
  if (!existsSync(old)) return current
  if (existsSync(current)) throw new UserError(twoOutputs(name), folder)
  return old
}

function twoOutputs(name: string): string {
  return `holds two outputs of GraphRAG: create_final_${name}.parquet (before 2.0) and ${name}.parquet; move the files of one into another folder`
}

export function hashTables(
  folder: string,
  names: readonly string[],
  reader: string,
  optional: readonly string[] = [],
): Record<string, string> {
  const there = optional.filter((name) => existsSync(graphragFile(folder, name)))
  return Object.fromEntries(
    [...names, ...there].map((name) => [name, hashFile(graphragFile(folder, name), reader)]),
  )
}

/** Opens a table of a GraphRAG folder with some of its columns, which are separated by blanks. */
export function openTable(folder: string, name: string, columns: string): Promise<TableBuilder> {
  return readForeignTable(graphragFile(folder, name), columns.split(' '))
}

/** The first of these columns. Throws a UserError that names the first if the table has none. */
function required(table: TableBuilder, ...columns: readonly string[]): string {
  const name = columns.find((column) => table.has(column)) ?? columns[0]
  table.values(name)
  return name
}

function requiredTexts(table: TableBuilder, ...columns: readonly string[]): string[] {
  return textsIn(table, required(table, ...columns))
}

/**
 * Entities and relationships; only titles, sources and targets are required, since tables differ by version. Text
 * units that a row does not list are those that list the row; an entity without any has those of its relationships.
 */
export async function readGraphragGraph(folder: string): Promise<ForeignGraph> {
  const entities = await openTable(folder, 'entities', 'id title name type description text_unit_ids')
  const titles = requiredTexts(entities, 'title', 'name')
  const [types, descriptions] = [textsIn(entities, 'type'), textsIn(entities, 'description')]
  const columns = 'id source target description weight text_unit_ids'
  const relationships = await openTable(folder, 'relationships', columns)
  const [sources, targets] = ['source', 'target'].map((end) => requiredTexts(relationships, end))
  const hasWeights = relationships.has('weight')
  const weights = hasWeights ? numbersIn(relationships, 'weight') : []
  const texts = textsIn(relationships, 'description')
  const units = await readUnits(folder)
  const linked = unitsOf(relationships, units?.relationships) ?? sources.map(() => [])
  const mentioned = unitsOf(entities, units?.entities) ?? unitsOfEnds(titles, [sources, targets], linked)
  const notices = {
    relationshipsWithoutDescription: texts.filter((text) => text === '').length,
    relationshipsWithoutWeight: hasWeights ? 0 : relationships.rows,
    relationshipsWithoutChunks: linked.filter((ids) => ids.length === 0).length,
  }
  return {
    file: entities.path,
    entities: titles.map((name, row) => ({
      name,
      type: types[row],
      description: descriptions[row],
      chunks: mentioned[row],
    })),
    relationships: sources.map((source, row) => ({
      source,
      target: targets[row],
      relation: '',
      keywords: '',
      description: texts[row],
      weight: hasWeights ? weights[row] : 1,
      chunks: linked[row],
    })),
    texts: units?.texts ?? new Map(),
    notices: Object.fromEntries(Object.entries(notices).filter(([, count]) => count > 0)),
  }
}

type UnitsById = ReadonlyMap<string, readonly string[]>

function unitsOf(table: TableBuilder, listing: UnitsById | undefined): (readonly string[])[] | undefined {
  if (table.has('text_unit_ids')) return idsIn(table, 'text_unit_ids')
  if (!listing || !table.has('id')) return undefined
  return textsIn(table, 'id').map((id) => listing.get(id) ?? [])
}

function unitsOfEnds(
  titles: readonly string[],
  ends: readonly (readonly string[])[],
  linked: readonly (readonly string[])[],
): string[][] {
  const byTitle = new Map(titles.map((title) => [title, new Set<string>()]))
  linked.forEach((ids, row) => {
    for (const names of ends) for (const id of ids) byTitle.get(names[row])?.add(id)
  })
  return titles.map((title) => [...(byTitle.get(title) ?? [])])
}

async function readUnits(folder: string) {
  if (!existsSync(graphragFile(folder, 'text_units'))) return undefined
  const columns = 'id chunk_id text chunk entity_ids relationship_ids'
  const table = await openTable(folder, 'text_units', columns)
  const ids = requiredTexts(table, 'id', 'chunk_id')
  const texts = requiredTexts(table, 'text', 'chunk')
  const listing = (column: string): UnitsById | undefined => {
    if (!table.has(column)) return undefined
    const units = new Map<string, string[]>()
    idsIn(table, column).forEach((listed, row) => {
      for (const id of listed) addTo(units, id, ids[row])
    })
    return units
  }
  return {
    texts: new Map(ids.map((id, row) => [id, texts[row]])),
    entities: listing('entity_ids'),
    relationships: listing('relationship_ids'),
  }
}

export interface ForeignCommunity {
  readonly number: number
  readonly level: number
  readonly parent?: number
  readonly names: readonly string[]
}

/**
 * Communities with the titles of their entities. Before version 1.1 the table of nodes has the members, and the
 * parent is the community one level up with the first entity.
 */
export async function readGraphragCommunities(folder: string) {
  const table = await openTable(folder, 'communities', 'id community level parent entity_ids')
  const file = table.path
  const numbers = numbersIn(table, required(table, 'community', 'id'))
  const levels = numbersIn(table, 'level')
  const members = table.has('entity_ids')
    ? await membersById(folder, idsIn(table, 'entity_ids'))
    : await membersByNodes(folder, file, numbers)
  const parents = table.has('parent') ? numbersIn(table, 'parent') : undefined
  const holding = new Map(
    numbers.flatMap((number, row) => members.titles[row].map((title) => [`${levels[row]} ${title}`, number])),
  )
  const communities = numbers.map((number, row): ForeignCommunity => {
    const names = members.titles[row]
    const parent = parents ? parents[row] : holding.get(`${levels[row] - 1} ${names[0]}`)
    return { number, level: levels[row], ...(parent !== undefined && parent >= 0 && { parent }), names }
  })
  return { file, communities, unknown: members.unknown }
}

interface Members {
  readonly titles: readonly (readonly string[])[]
  readonly unknown: number
}

async function membersById(folder: string, lists: readonly (readonly string[])[]): Promise<Members> {
  const entities = await openTable(folder, 'entities', 'id title name')
  const titles = requiredTexts(entities, 'title', 'name')
  const byId = new Map(requiredTexts(entities, 'id').map((id, row) => [id, titles[row]]))
  const unknown = new Set(lists.flat().filter((id) => !byId.has(id))).size
  return { titles: lists.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])), unknown }
}

async function membersByNodes(folder: string, file: string, numbers: readonly number[]): Promise<Members> {
  if (!existsSync(graphragFile(folder, 'nodes')))
    throw new UserError(
      `has no column "entity_ids", and its folder has no create_final_nodes.parquet with the entities of each community`,
      file,
    )
  const nodes = await openTable(folder, 'nodes', 'title community')
  const titles = requiredTexts(nodes, 'title')
  const inside = new Map<number, string[]>(numbers.map((number) => [number, []]))
  nodes.values('community').forEach((number, row) => {
    if (number !== null && number !== '') inside.get(Number(number))?.push(titles[row])
  })
  return { titles: numbers.map((number) => inside.get(number) ?? []), unknown: 0 }
}

/** Texts of a column, '' for none or an absent column. */
export function textsIn(table: TableBuilder, column: string): string[] {
  if (!table.has(column)) return new Array<string>(table.rows).fill('')
  return table.values(column).map((value, row) => {
    if (value === null) return ''
    if (typeof value === 'object') throw misfit(table, column, row, 'a text', value)
    return String(value)
  })
}

/** Numbers of a column, also those written as text; NaN for none. */
export function numbersIn(table: TableBuilder, column: string): number[] {
  return table.values(column).map((value, row) => {
    if (value === null || (typeof value === 'string' && /^(?:nan)?$/i.test(value.trim()))) return Number.NaN
    const number = typeof value === 'object' || typeof value === 'boolean' ? Number.NaN : Number(value)
    if (Number.isNaN(number) && !Number.isNaN(value)) throw misfit(table, column, row, 'a number', value)
    return number
  })
}

/** Lists of ids, also as text, in JSON or as Python prints them. */
function idsIn(table: TableBuilder, column: string): string[][] {
  return table.values(column).map((value, row) => {
    const list = listOf(value)
    if (list === undefined || list.some((id) => typeof id === 'object'))
      throw misfit(table, column, row, 'a list of ids', value)
    return list.map(String)
  })
}

/** Items of a list, also of one written as text; undefined for any other value. */
export function listOf(value: unknown): unknown[] | undefined {
  if (value === null || value === undefined || value === '') return []
  const list = typeof value === 'string' ? printedLists(value) : value
  return Array.isArray(list) ? list.map(asText) : undefined
}

/** Decodes bytes as UTF-8: some writers do not mark a column as text. */
function asText(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
}

function misfit(
  { path }: TableBuilder,
  column: string,
  row: number,
  kind: string,
  value: unknown,
): UserError {
  const shown = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY }).slice(0, 40)
  return new UserError(`column "${column}", row ${row + 1}: ${shown} is not ${kind}`, path)
}
