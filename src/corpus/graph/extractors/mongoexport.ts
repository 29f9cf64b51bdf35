import { join } from 'node:path'
import { z } from 'zod'
import {
  collectionFiles,
  eachMongoRecord,
  isWanted,
  type MongoRecord,
  whereParam,
} from '../../../dataset/formats/mongoexport.ts'
import { type Diagnostic, UserError } from '../../../errors.ts'
import { hashFile } from '../../../store/input.ts'
import { defineExtractor, type Link, type Mention } from './index.ts'

/**
 * Reads a rulebook pipeline's graph (seed document 000). An end of an edge is a chunk if it has a chunk's id, else a
 * node. A node occurs in its `chunk_ids`, and in the chunk at the other end of an edge.
 *
 *     graph_edges   {source_id, target_id, relation, metadata: {weight, description}, ruleset_id, book_id}
 *     graph_nodes   {node_id, name, type, chunk_ids} (optional; field names chosen by Touchstone)
 */
export default defineExtractor({
  name: 'mongoexport',
  version: 2,
  summary: "a rulebook pipeline's graph_nodes and graph_edges",
  params: z.strictObject({ path: z.string().min(1).describe('the folder'), where: whereParam }),
  files: ({ path }) => {
    const files = [...edgeFiles(path), ...nodeFiles(path)]
    if (edgeFiles(path).length === 0)
      throw new UserError('is missing (prepare.graph: mongoexport)', join(path, 'graph_edges.json'))
    return Object.fromEntries(files.map((file) => [file, hashFile(join(path, file))]))
  },
  make: ({ path, where }) => ({
    async extract({ chunks }) {
      const diagnostics: Diagnostic[] = []
      const sink = {
        diagnostic: (diagnostic: Diagnostic) =>
          diagnostics.push({ ...diagnostic, ...(diagnostic.file && { file: join(path, diagnostic.file) }) }),
      }
      const rowOf = new Map(chunks.map(({ id }, row) => [id, row]))
      const nodes = new Map<string, { readonly name: string; readonly type?: string }>()
      const mentions: Mention[] = []
      const links: Link[] = []
      const notices = { unknownChunks: 0, danglingRelationships: 0, left: 0 }
      const each = async (files: readonly string[], inside: Kind, take: (record: MongoRecord) => string) => {
        for (const file of files)
          await eachMongoRecord(path, file, inside, sink, (record, location) => {
            if (file.endsWith('.graph.json') && isOther(record, inside)) return
            if (!isWanted(record, where)) {
              notices.left++
              return
            }
            const wrong = take(record)
            if (wrong !== '') sink.diagnostic({ ...location, message: wrong })
          })
      }
      await each(nodeFiles(path), 'nodes', ({ node_id: id, name, type, chunk_ids: ids = [] }) => {
        if (typeof id !== 'string') return 'has no "node_id" that is a string'
        if (!Array.isArray(ids)) return '"chunk_ids" must be a list'
        const node = {
          name: typeof name === 'string' && name.trim() !== '' ? name : id,
          ...(typeof type === 'string' && { type }),
        }
        nodes.set(id, node)
        const rows = ids.flatMap((chunk) => rowOf.get(String(chunk)) ?? [])
        notices.unknownChunks += ids.length - rows.length
        for (const chunk of rows) mentions.push({ ...node, chunk, count: 1 })
        return ''
      })
      const hasNodes = nodes.size > 0
      await each(edgeFiles(path), 'edges', (record) => {
        const { source_id: source, target_id: target, relation, metadata } = record
        const { weight, description } = (metadata ?? {}) as MongoRecord
        if (typeof source !== 'string' || typeof target !== 'string')
          return 'has no "source_id" and "target_id" that are strings'
        if (typeof relation !== 'string' || relation === '') return 'has no "relation" that is a string'
        const weighs = weight ?? 1
        if (typeof weighs !== 'number' || !(weighs >= 0))
          return '"metadata.weight" must be a number, 0 or more'
        const [from, to] = [rowOf.get(source), rowOf.get(target)]
        const isThere = (id: string, row: number | undefined) =>
          row !== undefined || nodes.has(id) || !hasNodes
        if (!isThere(source, from) || !isThere(target, to)) {
          notices.danglingRelationships++
          return ''
        }
        const chunk = from ?? to ?? -1
        const ends = [
          { ...(nodes.get(source) ?? { name: source }), chunk: from ?? chunk, count: 1 },
          { ...(nodes.get(target) ?? { name: target }), chunk: to ?? chunk, count: 1 },
        ]
        mentions.push(...ends)
        links.push({
          source: ends[0].name,
          target: ends[1].name,
          relation,
          chunk,
          predicate: relation.replaceAll('_', ' '),
          weight: weighs,
          ...(typeof description === 'string' && { description }),
        })
        return ''
      })
      if (diagnostics.length > 0) throw new UserError(diagnostics)
      if (chunks.length > 0 && mentions.length > 0 && mentions.every(({ chunk }) => chunk < 0))
        throw new UserError(
          'belongs to another corpus: none of its ids is a chunk here (chunk the same export as passages)',
          join(path, edgeFiles(path)[0]),
        )
      return { mentions, links, describe: { separator: '\n', tokens: 500 }, notices }
    },
  }),
})

type Kind = 'nodes' | 'edges'

function isOther(record: MongoRecord, kind: Kind): boolean {
  const [field, other, list] =
    kind === 'nodes' ? ['node_id', 'source_id', 'edges'] : ['source_id', 'node_id', 'nodes']
  return !Object.hasOwn(record, field) && (Object.hasOwn(record, other) || Array.isArray(record[list]))
}

function edgeFiles(path: string): string[] {
  return collectionFiles(path, 'graph_edges', 'graph')
}

function nodeFiles(path: string): string[] {
  return collectionFiles(path, 'graph_nodes', 'graph')
}
