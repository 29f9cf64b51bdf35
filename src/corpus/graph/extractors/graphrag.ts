import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { hashFile } from '../../../store/input.ts'
import { readForeignTable } from '../../../tables/foreign.ts'
import { entityKey } from '../../../text/entity-key.ts'
import { defineExtractor, type Link, type Mention } from './define.ts'

/**
 * Reads Microsoft GraphRAG's `entities.parquet` and `relationships.parquet` as they are. An entity is its exact title, and
 * a chunk is found by the id of GraphRAG's text unit. Relationships with an end that is no entity are left out and counted.
 */
export const graphragExtractor = defineExtractor({
  name: 'graphrag',
  version: 2,
  summary: 'the entities and relationships of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  files: ({ path }) => ({
    entities: hashFile(join(path, 'entities.parquet'), 'prepare.graph: graphrag'),
    relationships: hashFile(join(path, 'relationships.parquet'), 'prepare.graph: graphrag'),
  }),
  async check(documents, { path }) {
    const ours = new Set(documents.map(({ id }) => id))
    const table = await readForeignTable(join(path, 'entities.parquet'), ['title', 'text_unit_ids'])
    const units = new Set(table.lists('text_unit_ids').flat())
    // A chunk's number within its document is not known before documents are cut.
    const known = [...units].filter((id) => ours.has(id) || ours.has(id.replace(/#\d+$/, ''))).length
    if (units.size > 0 && known === 0) throw ofAnotherCorpus(join(path, 'entities.parquet'))
    const unknown = units.size - known
    return unknown === 0
      ? []
      : [`graphrag: ${unknown} of ${units.size} text units are no chunk of the corpus and are ignored`]
  },
  async extract({ chunks }, { path }) {
    const rowOf = new Map(chunks.map(({ id }, row) => [id, row]))
    const notices = { danglingRelationships: 0, badWeights: 0, unknownTextUnits: 0, emptyNames: 0 }
    const unknown = new Set<string>()
    const rowsOf = (ids: readonly string[]) => {
      const rows: number[] = []
      for (const id of ids) {
        const row = rowOf.get(id)
        if (row === undefined) unknown.add(id)
        else rows.push(row)
      }
      return rows
    }
    const mentions: Mention[] = []
    const names = new Set<string>()
    const entities = await readForeignTable(join(path, 'entities.parquet'), [
      'title',
      'type',
      'description',
      'text_unit_ids',
    ])
    const titles = entities.strings('title')
    const types = entities.has('type') ? entities.strings('type') : titles.map(() => '')
    const descriptions = entities.strings('description')
    entities.lists('text_unit_ids').forEach((ids, entity) => {
      const name = titles[entity]
      if (entityKey(name) === '') {
        notices.emptyNames++
        return
      }
      names.add(name.trim())
      const rows = rowsOf(ids)
      const type = types[entity]
      const text = descriptions[entity] || undefined
      mentions.push({ name, chunk: rows[0] ?? -1, count: 1, type, text })
      for (const chunk of rows.slice(1)) mentions.push({ name, chunk, count: 1, type })
    })
    const file = join(path, 'relationships.parquet')
    const relationships = await readForeignTable(file, [
      'source',
      'target',
      'description',
      'weight',
      'text_unit_ids',
    ])
    const sources = relationships.strings('source')
    const targets = relationships.strings('target')
    const texts = relationships.strings('description')
    const weights = relationships.numbers('weight')
    const links: Link[] = []
    relationships.lists('text_unit_ids').forEach((ids, row) => {
      const [source, target, weight] = [sources[row], targets[row], weights[row]]
      const [chunk = -1, ...alsoIn] = rowsOf(ids)
      if (!names.has(source.trim()) || !names.has(target.trim())) notices.danglingRelationships++
      else if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) notices.badWeights++
      else
        links.push({ source, target, predicate: texts[row], description: texts[row], weight, chunk, alsoIn })
    })
    notices.unknownTextUnits = unknown.size
    if (chunks.length > 0 && names.size > 0 && mentions.every(({ chunk }) => chunk < 0))
      throw ofAnotherCorpus(file)
    return { mentions, links, names: 'exact', describe: { separator: '\n', tokens: 500 }, notices }
  },
})

function ofAnotherCorpus(file: string): UserError {
  return new UserError({
    file,
    message:
      'belongs to another corpus: none of its text units is a chunk here (load its text_units as the corpus, chunked as passages)',
  })
}
