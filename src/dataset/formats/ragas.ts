import { isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { defineDatasetFormat, oneFile } from '../format.ts'
import { questionParams, takeQuestionRows } from '../question-rows.ts'
import { placeOf, type Row, readRows } from '../rows.ts'
import { hasKeys } from '../source.ts'

/**
 * Test sets of ragas: `user_input, reference_contexts, reference` (since 0.2), or `question, contexts, ground_truth,
 * evolution_type` (0.1), or `ground_truth_context` (before). Gold are the reference contexts; what a system retrieved is not read.
 */
export const ragas = defineDatasetFormat({
  name: 'ragas',
  summary:
    'test set of ragas (JSONL, JSON, CSV, Parquet, Arrow); the corpus is the union of reference contexts',
  drops: 'retrieved_contexts, response, rubrics, persona',
  params: questionParams,
  sniff: oneFile(
    (shape) =>
      hasKeys(shape, 'user_input') ||
      (hasKeys(shape, 'question') &&
        ['ground_truth', 'ground_truths'].some((key) => hasKeys(shape, key)) &&
        ['contexts', 'ground_truth_context'].some((key) => hasKeys(shape, key))),
  ),
  async load({ path, columns }, sink) {
    const { folder, file } = placeOf(path)
    const records = await readRows(folder, file, sink)
    const rows = /\.json(\.gz)?$/.test(file) && records.length === 1 ? byColumns(records[0]) : records
    const names = new Set(rows.slice(0, 100).flatMap(({ fields }) => Object.keys(fields)))
    // Without the field that test sets have, `contexts` of ragas 0.1 are what a system retrieved.
    const isMarked = ['reference_contexts', 'ground_truth_context', 'evolution_type'].some((name) =>
      names.has(name),
    )
    const isOld = names.has('contexts') && !isMarked
    if (isOld && columns?.contexts === undefined)
      return sink.diagnostic({
        file,
        message:
          'has `contexts` that may be what a system retrieved, or what a test set was made from; if they are the gold, say `columns: {contexts: contexts}`',
      })
    // Contexts of questions over several passages begin with `<1-hop>`.
    const clean = (text: string) => text.replace(/^<\d+-hop>\s*\n+/, '')
    takeQuestionRows(rows, { tool: 'ragas', file, columns, clean }, sink)
  },
})

/** Rows of a table written by columns, `{"question": ["x", "y"]}` or `{"question": {"0": "x", "1": "y"}}`; else the row. */
function byColumns(row: Row): Row[] {
  const columns = Object.entries(row.fields).map(
    ([name, cells]) => [name, isMap(cells) ? (cells as Readonly<Record<string, Json>>) : cells] as const,
  )
  const keysOf = (cells: Json) => (typeof cells === 'object' && cells !== null ? Object.keys(cells) : [])
  const keys = keysOf(columns[0][1])
  const isTable =
    columns.length > 1 &&
    keys.every((key) => /^\d+$/.test(key)) &&
    columns.every(([, cells]) => keys.length > 0 && keysOf(cells).join() === keys.join())
  if (!isTable) return [row]
  return keys.map((key) => ({
    fields: Object.fromEntries(
      columns.map(([name, cells]) => [name, (cells as Readonly<Record<string, Json>>)[key]]),
    ),
    location: { file: `${row.location.file}, row ${key}` },
  }))
}
