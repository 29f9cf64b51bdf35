import { defineDatasetFormat, oneFile } from '../format.ts'
import { questionParams, readFlatRows, takeQuestionRows } from '../question-rows.ts'
import { placeOf } from '../rows.ts'
import { recordKeys } from '../source.ts'

/**
 * Exports of a Langfuse dataset, as JSON, JSONL or CSV: items with `input`, `expectedOutput` and `metadata`; the API wraps a page
 * of them in `data`.
 */
export const langfuse = defineDatasetFormat({
  name: 'langfuse',
  summary: 'dataset export of Langfuse (JSON, JSONL, CSV) whose items contain contexts',
  drops: 'archived items, counted; traces, dates, other metadata',
  params: questionParams,
  sniff: oneFile((shape) => {
    const keys = recordKeys(shape)
    return keys.includes('input') && keys.some((key) => /^expected_?output$/i.test(key))
  }),
  async load({ path, columns }, sink) {
    const rows = await readFlatRows(path, sink)
    const active = rows.filter(({ fields }) => fields.status !== 'ARCHIVED')
    if (active.length < rows.length) sink.notice(`${rows.length - active.length} archived items are left out`)
    takeQuestionRows(active, { tool: 'Langfuse', file: placeOf(path).file, columns }, sink)
  },
})
