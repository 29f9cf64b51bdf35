import { z } from 'zod'
import { kindOf } from '../../text/ids.ts'
import { isMap } from '../../text/json.ts'
import { readGrade } from '../../text/numbers.ts'
import { wellFormed } from '../../text/well-formed.ts'
import type { Json } from '../../types.ts'
import { textsOf } from '../contexts.ts'
import { defineDatasetFormat, oneFile } from '../format.ts'
import { policyShape } from '../policies.ts'
import { placeOf, readJsonObject } from '../rows.ts'
import type { DatasetSink } from '../sink.ts'
import { hasKeys } from '../source.ts'

/** LlamaIndex's `EmbeddingQAFinetuneDataset.save_json`: queries and corpus by id, the relevant nodes by query. */
export const llamaindexQa = defineDatasetFormat({
  name: 'llamaindex-qa',
  summary: 'JSON of LlamaIndex (EmbeddingQAFinetuneDataset): queries, corpus, relevant_docs',
  drops: 'nothing',
  params: z.strictObject({ path: z.string().describe('the JSON file, plain or .gz'), ...policyShape }),
  sniff: oneFile(
    (shape) =>
      shape.kind === 'object' &&
      hasKeys(shape, 'queries') &&
      (hasKeys(shape, 'relevant_docs') || hasKeys(shape, 'corpus')),
  ),
  async load({ path }, sink) {
    const { file } = placeOf(path)
    const whole = readJsonObject(path, sink)
    if (!whole) return
    const corpus = mapIn(whole, 'corpus', file, sink)
    const queries = mapIn(whole, 'queries', file, sink)
    const relevant = mapIn(whole, 'relevant_docs', file, sink)
    const text = (value: unknown, where: string) => {
      if (typeof value !== 'string')
        sink.diagnostic({ file, message: `${where} must be a text, not ${kindOf(value)}` })
      return typeof value === 'string' ? wellFormed(value) : undefined
    }
    for (const [id, value] of corpus) {
      const found = text(value, `corpus.${id}`)
      if (found !== undefined)
        sink.document({ id: wellFormed(id), title: '', text: found, metadata: {} }, { file })
    }
    for (const [id, value] of queries) {
      const found = text(value, `queries.${id}`)
      if (found !== undefined)
        sink.query(
          { id: wellFormed(id), text: found, metadata: {}, category: null, answers: [], answerable: true },
          { file },
        )
    }
    for (const [queryId, value] of relevant) {
      const graded = isMap(value)
        ? Object.entries(value)
        : [...new Set(textsOf(value as Json))].map((id) => [id, 1] as const)
      for (const [id, given] of graded) {
        const grade = readGrade(given)
        if (grade !== undefined)
          sink.qrel({ queryId: wellFormed(queryId), id: wellFormed(id), grade }, { file })
        else
          sink.diagnostic({
            file,
            message: `relevant_docs.${queryId}.${id}: a grade must be a whole number of 32 bits, not ${JSON.stringify(given)}`,
          })
      }
    }
    sink.notice(`read as LlamaIndex QA: ${file}; query=queries, document=corpus, gold=relevant_docs, grade=1`)
  },
})

function mapIn(
  whole: Readonly<Record<string, unknown>>,
  key: string,
  file: string,
  sink: DatasetSink,
): [string, unknown][] {
  const value = whole[key]
  if (isMap(value)) return Object.entries(value)
  sink.diagnostic({
    file,
    message: value === undefined ? `has no "${key}"` : `"${key}" must be an object, not ${kindOf(value)}`,
  })
  return []
}
