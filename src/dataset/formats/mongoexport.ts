import { UserError } from '../../errors.ts'
import { idError, kindOf } from '../../text/ids.ts'
import type { Json } from '../../types.ts'
import { type Columns, column } from '../columns.ts'
import { defineFormat, type FileRule, type Params } from '../format.ts'
import { questionOf } from '../mappers.ts'
import { collectionFiles, isWanted, type MongoRecord, recordsIn, whereParam } from '../mongoexport.ts'

/** Files of a collection, whose records are plain values. `inside`: list of records in one record. */
const collection = (name: string, legacy: string, inside: string, columns?: Columns): FileRule => ({
  columns,
  name: `${name}.json`,
  find: ({ path }) => collectionFiles(path, name, legacy).map((file) => ({ file })),
  rows: (fields) => recordsIn(fields, inside),
  isMany: true,
  isOptional: name !== 'enriched_chunks',
})

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
export const mongoexportDataset = defineFormat({
  name: 'mongoexport',
  summary: "a rulebook pipeline's collections: enriched_chunks, questions, traversal_indexes",
  drops: 'records that a filter leaves out, counted',
  path: 'the folder',
  params: { where: whereParam },
  roles: {
    corpus: collection('enriched_chunks', 'enriched', 'chunks', {
      id: column('chunk_id'),
      text: column('text'),
    }),
    questions: collection('questions', 'evaluation_queries', 'queries', {
      id: column('query_id'),
      text: column('query'),
    }),
    notes: collection('traversal_indexes', 'traversal_index', 'indexes'),
  },
  hasFixedNames: true,
  recognises: ({ path }) => collectionFiles(path, 'enriched_chunks', 'enriched').length > 0,
  document({ id, text }, { fields: record, params }) {
    const { _id, chunk_id: _chunk, text: _text, section_path: path = [], ...metadata } = record
    if (!Array.isArray(path) || !path.every((name) => typeof name === 'string'))
      throw new UserError('`section_path` must be a list of texts')
    return {
      id,
      title: path.at(-1) ?? '',
      text,
      metadata: { ...metadata, ...(path.length > 0 && { section: path }) },
      ...(!isWanted(record, params.where) && { skip: 'chunks that are not what `where` asks for, left out' }),
    }
  },
  question({ id, text }, { fields: record, params }) {
    const { _id, query_id: _query, query: _text, expected_chunk_ids: gold = [], answer, ...metadata } = record
    const wrong = Array.isArray(gold) ? gold.map(idError).find((one) => one !== undefined) : kindOf(gold)
    if (wrong !== undefined)
      throw new UserError(
        `\`expected_chunk_ids\` ${Array.isArray(gold) ? `holds an id that ${wrong}` : `must be a list of ids, not ${wrong}`}`,
      )
    // A question of no book in particular is one of every book.
    const asked = Object.entries(params.where as object).filter(([field]) => field in record)
    return {
      ...questionOf({ id, text, metadata: { ...metadata, ...(answer != null && { answers: answer }) } }),
      gold: [...new Set((gold as Json[]).map(String))],
      ...(!isWanted(record, Object.fromEntries(asked)) && { skip: '' }),
    }
  },
  note(record, documents, { where }: Params) {
    if (!isWanted(record, where)) return undefined
    const { run_id: run = null, ruleset_id, book_id } = record as MongoRecord
    if (![...documents].some(({ metadata }) => (metadata.run_id ?? null) === run))
      throw new UserError(`is of the run "${run}", which has no chunk here`)
    return `built as run ${run} of ${[ruleset_id, book_id].filter(Boolean).join(', ')}`
  },
})
