import { join } from 'node:path'
import type { Json } from '../../types.ts'
import { textsOf } from '../contexts.ts'
import { defineDatasetFormat } from '../format.ts'
import { questionParams, readFlatRows, takeQuestionRows } from '../question-rows.ts'
import { openSource, recordKeys, type Source } from '../source.ts'

/**
 * LlamaIndex's `LabelledRagDataset.save_json`: `examples` with `query`, `reference_contexts` and `reference_answer`; alone, or in
 * the folder that LlamaHub gives, next to `source_files/`.
 */
export const llamaindexRag = defineDatasetFormat({
  name: 'llamaindex-rag',
  summary:
    'JSON of LlamaIndex (LabelledRagDataset), alone or with its source_files; the corpus is the union of contexts',
  drops: 'query_by, reference_answer_by; source_files',
  params: questionParams,
  sniff: (source) => {
    const files = filesOf(source)
    return files.length > 0 ? { files } : undefined
  },
  async load({ path, columns }, sink) {
    const source = openSource(path)
    const [file, ...others] = filesOf(source)
    if (others.length > 0)
      return sink.diagnostic({
        file: path,
        message: `holds ${others.length + 1} files of questions: ${[file, ...others].join(', ')}; give the path of one`,
      })
    if (file === undefined)
      return sink.diagnostic({
        file: path,
        message: 'holds no `examples` with `query` and `reference_contexts`',
      })
    const rows = await readFlatRows(source.isFolder ? join(path, file) : path, sink)
    const people = rows.map(({ fields }) => textsOf(fields['query_by.type'] as Json | undefined)[0])
    const byModel = people.filter((one) => one === 'ai').length
    if (byModel > 0) sink.notice(`${byModel} of ${rows.length} questions were written by a model`)
    takeQuestionRows(rows, { tool: 'LlamaIndex RAG dataset', file, columns }, sink)
  },
})

function filesOf(source: Source): string[] {
  return source.files.filter((file) => {
    if (source.isFolder && !/^[^/]+\.json$/.test(file)) return false
    const keys = recordKeys(source.shape(file))
    return keys.includes('query') && keys.includes('reference_contexts')
  })
}
