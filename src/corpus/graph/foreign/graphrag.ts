import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { UserError } from '../../../errors.ts'
import { hashFile } from '../../../store/input.ts'
import { readForeignTable } from '../../../tables/foreign.ts'
import type { TableBuilder } from '../../../tables/table.ts'
import { printedLists } from '../../../text/json.ts'
import type { ForeignGraph } from './graph.ts'

/** Table of a GraphRAG folder: `NAME.parquet`, before version 2.0 `create_final_NAME.parquet`. */
function graphragFile(folder: string, name: string): string {
  const [old, current] = [join(folder, `create_final_${name}.parquet`), join(folder, `${name}.parquet`)]
  if (!existsSync(old)) return current
  if (existsSync(current)) throw new UserError({ file: folder, message: twoOutputs(name) })
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

/**
 * Entities and relationships. Only titles, sources and targets are required: other programs write these tables too.
 * An entity without text units has those of its relationships.
 */
export async function readGraphragGraph(folder: string): Promise<ForeignGraph> {
  const entities = await openTable(folder, 'entities', 'title type description text_unit_ids')
  const titles = requiredTexts(entities, 'title')
  const [types, descriptions] = [textsIn(entities, 'type'), textsIn(entities, 'description')]
  const relationships = await openTable(
    folder,
    'relationships',
    'source target description weight text_unit_ids',
  )
  const [sources, targets] = ['source', 'target'].map((end) => requiredTexts(relationships, end))
  const hasWeights = relationships.has('weight')
  const weights = hasWeights ? numbersIn(relationships, 'weight') : []
  const texts = textsIn(relationships, 'description')
  const linked = relationships.has('text_unit_ids')
    ? idsIn(relationships, 'text_unit_ids')
    : sources.map(() => [])
  const mentioned = entities.has('text_unit_ids')
    ? idsIn(entities, 'text_unit_ids')
    : unitsOfEnds(titles, [sources, targets], linked)
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
    texts: await readUnits(folder),
    notices: Object.fromEntries(Object.entries(notices).filter(([, count]) => count > 0)),
  }
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

async function readUnits(folder: string): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(graphragFile(folder, 'text_units'))) return new Map()
  const table = await openTable(folder, 'text_units', 'id text')
  const texts = requiredTexts(table, 'text')
  return new Map(requiredTexts(table, 'id').map((id, row) => [id, texts[row]]))
}

export interface ForeignCommunity {
  readonly number: number
  readonly level: number
  readonly parent?: number
  readonly names: readonly string[]
}

/** Communities with the titles of their entities, and the number of their entities that the folder lacks. */
export async function readGraphragCommunities(folder: string) {
  const table = await openTable(folder, 'communities', 'community level parent entity_ids')
  const [numbers, levels, parents] = ['community', 'level', 'parent'].map((name) => numbersIn(table, name))
  const entities = await openTable(folder, 'entities', 'id title')
  const titles = requiredTexts(entities, 'title')
  const titleOf = new Map(requiredTexts(entities, 'id').map((id, row) => [id, titles[row]]))
  const lists = idsIn(table, 'entity_ids')
  return {
    file: table.path,
    communities: numbers.map(
      (number, row): ForeignCommunity => ({
        number,
        level: levels[row],
        ...(parents[row] >= 0 && { parent: parents[row] }),
        names: lists[row].flatMap((id) => titleOf.get(id) ?? []),
      }),
    ),
    unknown: new Set(lists.flat().filter((id) => !titleOf.has(id))).size,
  }
}

function requiredTexts(table: TableBuilder, column: string): string[] {
  table.values(column)
  return textsIn(table, column)
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
  return new UserError({ file: path, message: `column "${column}", row ${row + 1}: ${shown} is not ${kind}` })
}
