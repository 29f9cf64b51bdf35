import { defineDatasetFormat, oneFile } from '../format.ts'
import { questionParams, readFlatRows, takeQuestionRows } from '../question-rows.ts'
import { placeOf } from '../rows.ts'
import { recordKeys } from '../source.ts'

/** Exports of a LangSmith dataset, as JSONL, JSON or CSV: examples with `inputs` and `outputs`. */
export const langsmith = defineDatasetFormat({
  name: 'langsmith',
  summary: 'dataset export of LangSmith (JSONL, JSON, CSV) whose examples contain contexts',
  drops: 'runs, attachments, dates, other inputs and outputs',
  params: questionParams,
  sniff: oneFile((shape) => {
    const has = (pattern: RegExp) => recordKeys(shape).some((key) => pattern.test(key))
    return has(/^inputs?(?:$|[._])/) && has(/^outputs?(?:$|[._])/)
  }),
  load: async ({ path, columns }, sink) =>
    takeQuestionRows(
      await readFlatRows(path, sink),
      { tool: 'LangSmith', file: placeOf(path).file, columns },
      sink,
    ),
})
