import { z } from 'zod'
import { isMap } from '../../text/json.ts'
import { DOCUMENT_COLUMNS, QUERY_COLUMNS } from '../columns.ts'
import { defineFormat, split } from '../format.ts'
import { questionOf } from '../mappers.ts'
import { hasKeys, hasLabels } from '../source.ts'

/**
 * A BEIR folder (Thakur et al., NeurIPS 2021), each file plain or `.gz`; the corpus may be alone:
 *
 *     corpus.jsonl       {"_id", "title" (optional), "text", "metadata" (optional object)}
 *     queries.jsonl      {"_id", "text", "metadata": {"category", "answers", "answerable"} (each optional)}
 *     qrels/<split>.tsv  query-id, corpus-id, score; our optional fourth column `group` names alternatives
 *     qrels/spans.tsv    (ours, optional) query-id, corpus-id, start, end: gold as spans of characters
 */
export const beirDataset = defineFormat({
  name: 'beir',
  summary: 'a BEIR folder: corpus.jsonl, queries.jsonl, qrels/<split>.tsv',
  drops: 'nested fields of a document, other fields of a query; queries that another split judges, counted',
  path: 'the folder or zip',
  params: {
    split,
    judged: z
      .enum(['document', 'chunk', 'span'])
      .optional()
      .describe('judged unit; spans if there is qrels/spans.tsv, else documents'),
  },
  roles: {
    corpus: { name: 'corpus.jsonl', path: /^corpus\.jsonl(?:\.gz)?$/, columns: DOCUMENT_COLUMNS },
    questions: {
      name: 'queries.jsonl',
      path: /^queries\.jsonl(?:\.gz)?$/,
      columns: QUERY_COLUMNS,
      isOptional: true,
    },
    labels: { name: 'qrels/<split>.tsv', path: /^qrels\/(?<split>(?!spans\.tsv).+)\.tsv(?:\.gz)?$/ },
    spans: { name: 'qrels/spans.tsv', path: /^qrels\/spans\.tsv(?:\.gz)?$/, isOptional: true },
  },
  hasFixedNames: true,
  recognises({ files, shape }) {
    const has = (pattern: RegExp) => files.some((file) => pattern.test(file))
    const hasQrels = has(/^qrels\/[^/]+\.tsv/)
    // Qrels in other files are Hugging Face's.
    const isOther =
      !hasQrels &&
      files.some(
        (file) => /^qrels(?:\/.*)?\.(?:jsonl|parquet|csv|tsv)(?:\.gz)?$/.test(file) && hasLabels(shape(file)),
      )
    // SciFact as first published has a corpus.jsonl of other keys.
    const isScifact =
      !hasQrels &&
      !has(/^queries\.jsonl/) &&
      files.some((file) => /^claims/.test(file) && hasKeys(shape(file), 'claim'))
    return !isOther && !isScifact && (has(/^corpus\.jsonl/) || (has(/^queries\.jsonl/) && hasQrels))
  },
  question(values, { fields }) {
    const inner = isMap(fields.metadata) ? fields.metadata : {}
    // BRIGHT writes "N/A" for none.
    const excludes = [fields.excluded_ids, inner.excluded_ids].flat().some((id) => id != null && id !== 'N/A')
    return { ...questionOf(values), ...(excludes && { remark: EXCLUDING }) }
  },
})

const EXCLUDING =
  'queries that name documents which BRIGHT leaves out of their rankings ("excluded_ids"); here they stay, so scores are lower than with BRIGHT\'s own program'
