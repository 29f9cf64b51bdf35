import { DOCUMENT_COLUMNS, QUERY_COLUMNS } from '../columns.ts'
import { defineFormat, split } from '../format.ts'
import { questionOf } from '../mappers.ts'
import { type Layout, tabbed } from '../records.ts'

/** MS MARCO's own files have no header. */
const table = (...layouts: readonly (readonly string[])[]) =>
  tabbed(
    ([first]) => /^(?:doc_?(?:id|no)|document_id|p?id|_id|query_id|qid)$/i.test(first.trim()),
    ([{ length }]: Parameters<Layout>[0]) =>
      layouts.find((names) => names.length === length) ??
      `has ${length} columns between tabs, not ${layouts.map((names) => names.length).join(' or ')}`,
  )

/**
 * MS MARCO's own TSV (Bajaj et al., 2016): `collection.tsv` (id, passage) or `msmarco-docs.tsv` (id, url, title, body),
 * `queries.<split>.tsv` and `qrels.<split>.tsv` in TREC's columns.
 */
export const msmarco = defineFormat({
  name: 'msmarco',
  summary: 'TSV of MS MARCO: collection.tsv or msmarco-docs.tsv, queries.<split>.tsv, qrels.<split>.tsv',
  drops: 'urls, top1000 and triples files; queries without qrels with `missingGold: count`',
  path: 'the folder',
  params: { split },
  roles: {
    corpus: {
      name: 'collection.tsv',
      also: 'or msmarco-docs.tsv',
      path: /^(?:collection|msmarco-docs)\.tsv(?:\.gz)?$/,
      columns: DOCUMENT_COLUMNS,
      records: table(['pid', 'passage'], ['docid', 'url', 'title', 'body']),
    },
    questions: {
      name: 'queries.<split>.tsv',
      path: /^(?:queries\.|msmarco-(?:doc)?(?=.+-queries))(?<split>.+?)(?:-queries)?\.tsv(?:\.gz)?$/,
      columns: QUERY_COLUMNS,
      records: table(['qid', 'query']),
    },
    labels: {
      name: 'qrels.<split>.tsv',
      path: /^(?:qrels\.|msmarco-(?:doc)?(?=.+-qrels)|(?=\d{4}qrels-))(?<split>.+?)(?:-qrels|qrels-(?:pass|docs))?\.(?:tsv|txt)(?:\.gz)?$/,
      isTrec: true,
    },
  },
  least: 2,
  document: ({ id, title, text }) => ({ id, title, text }),
  question: ({ id, text }) => questionOf({ id, text }),
})
