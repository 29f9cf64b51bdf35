import { defineDatasetFormat, oneFile } from '../format.ts'
import { questionParams, readFlatRows, takeQuestionRows } from '../question-rows.ts'
import { placeOf } from '../rows.ts'

/** Exports of a Langfuse dataset, as JSON, JSONL or CSV: items with `input`, `expectedOutput` and `metadata`. */
export const langfuse = defineDatasetFormat({
  name: 'langfuse',
  summary: 'dataset export of Langfuse (JSON, JSONL, CSV) whose items hold contexts',
  drops: 'archived items, counted; traces, dates, other metadata',
  params: questionParams,
  sniff: oneFile(
    ({ keys, kind }) =>
      kind !== 'object' && keys.includes('input') && keys.some((key) => /^expected_?output$/i.test(key)),
  ),
  async load({ path, columns }, sink) {
    const rows = await readFlatRows(path, sink)
    const active = rows.filter(({ fields }) => fields.status !== 'ARCHIVED')
    if (active.length < rows.length) sink.notice(`${rows.length - active.length} archived items are left out`)
    takeQuestionRows(active, { tool: 'Langfuse', file: placeOf(path).file, columns }, sink)
  },
})
