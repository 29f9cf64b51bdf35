import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../../errors.ts'
import { hashFile } from '../../../store/input.ts'
import { readForeignTable } from '../../../tables/foreign.ts'
import type { TableBuilder } from '../../../tables/table.ts'
import type { ForeignGraph } from './graph.ts'

/** Table of a GraphRAG output folder: `NAME.parquet`, before version 2.0 `create_final_NAME.parquet`. */
export function graphragFile(folder: string, name: string): string {
  const [old, own] = [join(folder, `create_final_${name}.parquet`), join(folder, `${name}.parquet`)]
  if (!existsSync(old)) return own
  if (existsSync(own)) throw new UserError({ file: folder, message: twoOutputs(name) })
  return old
}

/** Message for a folder that an upgraded GraphRAG wrote into a second time. */
function twoOutputs(name: string): string {
  return `holds two outputs of GraphRAG: create_final_${name}.parquet (before 2.0) and ${name}.parquet; move the files of one into another folder`
}

/** SHA-256 of tables by name; those in `optional` may be missing. */
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

/** Titles of entities; the column was `name` before version 1.0. */
function titlesIn(entities: TableBuilder): string[] {
  return entities.strings(entities.has('title') ? 'title' : 'name')
}

export async function readGraphragGraph(folder: string): Promise<ForeignGraph> {
  const file = graphragFile(folder, 'entities')
  const entities = await readForeignTable(file, ['title', 'name', 'type', 'description', 'text_unit_ids'])
  const titles = titlesIn(entities)
  const types = entities.has('type') ? entities.strings('type') : []
  const descriptions = entities.strings('description')
  const relationships = await readForeignTable(graphragFile(folder, 'relationships'), [
    ...['source', 'target', 'description', 'weight', 'text_unit_ids'],
  ])
  const [sources, targets] = [relationships.strings('source'), relationships.strings('target')]
  const weights = relationships.numbers('weight')
  const texts = relationships.strings('description')
  return {
    file,
    entities: entities.lists('text_unit_ids').map((chunks, row) => ({
      ...{ name: titles[row], type: types[row] ?? '', description: descriptions[row], chunks },
    })),
    relationships: relationships.lists('text_unit_ids').map((chunks, row) => ({
      ...{ source: sources[row], target: targets[row], relation: '', keywords: '' },
      ...{ description: texts[row], weight: weights[row], chunks },
    })),
    texts: await unitTexts(folder),
  }
}

/** Texts of text units by id; empty if the folder has no such table. */
async function unitTexts(folder: string): Promise<Map<string, string>> {
  const file = graphragFile(folder, 'text_units')
  if (!existsSync(file)) return new Map()
  const table = await readForeignTable(file, ['id', 'chunk_id', 'text', 'chunk'])
  const texts = table.strings(table.has('text') ? 'text' : 'chunk')
  return new Map(table.strings(table.has('id') ? 'id' : 'chunk_id').map((id, row) => [id, texts[row]]))
}

/** Community as GraphRAG numbers it; `parent` is undefined at the top. */
interface GraphragCommunity {
  readonly number: number
  readonly level: number
  readonly parent?: number
  /** Titles of its entities. */
  readonly titles: readonly string[]
}

/**
 * Communities with the titles of their entities, and the number of entity ids that are in no table. Before version 1.1 the
 * table of nodes says which entity is in which community, and no table says the parent: it is the community one level up
 * that has the first entity.
 */
export async function readGraphragCommunities(folder: string): Promise<{
  readonly file: string
  readonly communities: readonly GraphragCommunity[]
  readonly unknown: number
}> {
  const file = graphragFile(folder, 'communities')
  const table = await readForeignTable(file, ['id', 'community', 'level', 'parent', 'entity_ids'])
  const numbers = table.has('community') ? table.numbers('community') : table.strings('id').map(Number)
  const levels = table.numbers('level')
  const members = table.has('entity_ids')
    ? await membersById(folder, table.lists('entity_ids'))
    : await membersByNodes(folder, file, numbers)
  const parents = table.has('parent') ? table.numbers('parent') : undefined
  const holding = new Map(
    numbers.flatMap((number, row) => members.titles[row].map((title) => [`${levels[row]} ${title}`, number])),
  )
  const communities = numbers.map((number, row): GraphragCommunity => {
    const titles = members.titles[row]
    const parent = parents ? parents[row] : holding.get(`${levels[row] - 1} ${titles[0]}`)
    return { number, level: levels[row], ...(parent !== undefined && parent >= 0 && { parent }), titles }
  })
  return { file, communities, unknown: members.unknown }
}

interface Members {
  readonly titles: readonly (readonly string[])[]
  readonly unknown: number
}

async function membersById(folder: string, lists: readonly (readonly string[])[]): Promise<Members> {
  const entities = await readForeignTable(graphragFile(folder, 'entities'), ['id', 'title', 'name'])
  const titles = titlesIn(entities)
  const byId = new Map(entities.strings('id').map((id, row) => [id, titles[row]]))
  const unknown = new Set(lists.flat().filter((id) => !byId.has(id))).size
  return { titles: lists.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])), unknown }
}

async function membersByNodes(folder: string, file: string, numbers: readonly number[]): Promise<Members> {
  const place = graphragFile(folder, 'nodes')
  if (!existsSync(place))
    throw new UserError({
      file,
      message: `has no column "entity_ids", and its folder has no create_final_nodes.parquet with the entities of each community`,
    })
  const nodes = await readForeignTable(place, ['title', 'community'])
  const titles = nodes.strings('title')
  const inside = new Map<number, string[]>(numbers.map((number) => [number, []]))
  nodes.values('community').forEach((number, row) => {
    if (number !== null) inside.get(Number(number))?.push(titles[row])
  })
  return { titles: numbers.map((number) => inside.get(number) ?? []), unknown: 0 }
}
