import { z } from 'zod'
import { idError, kindOf } from '../../text/ids.ts'
import type { Json } from '../../types.ts'
import { defineDatasetFormat } from '../format.ts'
import {
  collectionFiles,
  eachMongoRecord,
  isWanted,
  type MongoRecord,
  namedForCollection,
} from '../mongoexport.ts'
import { policyShape } from '../policies.ts'
import { idField, queryOf, textField } from '../records.ts'
import type { DataLocation, DatasetSink } from '../sink.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

/** Filter of records: `{ruleset_id: x, book_id: [a, b]}`. */
export const whereParam = z
  .record(z.string(), z.union([scalar, z.array(scalar).min(1)]))
  .default({})
  .describe('only records with these values, as {ruleset_id: sf2e, book_id: [core, gm]}')

/**
 * The collections of a rulebook pipeline (seed document 000), as mongoexport writes them, in one folder:
 *
 *     enriched_chunks     {chunk_id, text, section_path, page, content_kind, tags, traits, is_rule_bearing, ruleset_id, ...}
 *     questions           {query_id, query, expected_chunk_ids, answer, category, answerable} (names that are ours)
 *     traversal_indexes   {ruleset_id, book_id, run_id, ...}: reported, and its runs must be those of the chunks
 *
 * Chunks are documents, cut already; fields other than id and text are their metadata. Without questions such a corpus
 * can be prepared and asked. graph_nodes and graph_edges are read by the extractor `mongoexport`.
 */
export const mongoexportDataset = defineDatasetFormat({
  name: 'mongoexport',
  summary: "a rulebook pipeline's collections: enriched_chunks, questions, traversal_indexes",
  drops: 'records that a filter leaves out, counted',
  params: z.strictObject({ path: z.string().describe('the folder'), where: whereParam, ...policyShape }),
  sniff: ({ path }) => {
    const files = namedForCollection(path, ...CHUNKS)
    return files.length > 0 ? { files } : undefined
  },
  async load({ path, where }, sink) {
    const files = collectionFiles(path, ...CHUNKS)
    if (files.length === 0) sink.diagnostic({ file: 'enriched_chunks.json', message: 'is missing' })
    const runs = new Set<Json>()
    let left = 0
    for (const file of files)
      await eachMongoRecord(path, file, 'chunks', sink, (record, location) => {
        if (isWanted(record, where)) {
          runs.add(record.run_id ?? null)
          takeChunk(record, location, sink)
        } else left++
      })
    if (left > 0) sink.notice(`${left} chunks are not what \`where\` asks for and are left out`)
    for (const file of collectionFiles(path, 'questions', 'evaluation_queries'))
      await eachMongoRecord(path, file, 'queries', sink, (record, location) => {
        // A question of no book in particular is one of every book.
        const asked = Object.fromEntries(Object.entries(where).filter(([field]) => field in record))
        if (isWanted(record, asked)) takeQuestion(record, location, sink)
      })
    for (const file of collectionFiles(path, 'traversal_indexes', 'traversal_index'))
      await eachMongoRecord(path, file, 'indexes', sink, (record, location) => {
        if (!isWanted(record, where)) return
        const { run_id = null, ruleset_id, book_id } = record
        if (!runs.has(run_id))
          sink.diagnostic({ ...location, message: `is of the run "${run_id}", which has no chunk here` })
        sink.notice(`built as run ${run_id} of ${[ruleset_id, book_id].filter(Boolean).join(', ')}`)
      })
  },
})

const CHUNKS = ['enriched_chunks', 'enriched'] as const

function takeChunk(record: MongoRecord, location: DataLocation, sink: DatasetSink): void {
  const id = idField(record, 'chunk_id', location, sink)
  const text = textField(record, 'text', location, sink)
  const { _id, chunk_id: _chunk, text: _text, section_path: path = [], ...metadata } = record
  if (!Array.isArray(path) || !path.every((name) => typeof name === 'string')) {
    sink.diagnostic({ ...location, message: '"section_path" must be a list of strings' })
    return
  }
  if (id === undefined || text === undefined) return
  const title = path.at(-1) ?? ''
  sink.document(
    { id, title, text, metadata: { ...metadata, ...(path.length > 0 && { section: path }) } },
    location,
  )
}

function takeQuestion(record: MongoRecord, location: DataLocation, sink: DatasetSink): void {
  const text = textField(record, 'query', location, sink)
  const { _id, query_id, query: _query, expected_chunk_ids: gold = [], answer, ...metadata } = record
  const wrong = Array.isArray(gold) ? gold.map(idError).find((one) => one !== undefined) : undefined
  if (!Array.isArray(gold) || wrong !== undefined) {
    const why =
      wrong === undefined ? `must be a list of ids, not ${kindOf(gold)}` : `holds an id that ${wrong}`
    sink.diagnostic({ ...location, message: `"expected_chunk_ids" ${why}` })
    return
  }
  const fields = { query_id, text, metadata: { ...metadata, ...(answer != null && { answers: answer }) } }
  const question =
    text === undefined ? undefined : queryOf(fields, { id: 'query_id', text: 'text' }, location, sink)
  if (!question) return
  sink.query(question, location)
  for (const id of new Set(gold.map(String))) sink.qrel({ queryId: question.id, id, grade: 1 }, location)
}
