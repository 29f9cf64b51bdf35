import { z } from 'zod'
import { oneOf } from '../../store/alternates.ts'
import { isIdName } from '../document-table.ts'
import { defineDatasetFormat } from '../format.ts'
import { eachFileLine } from '../lines.ts'
import { policyShape } from '../policies.ts'
import { readTrecQrels } from '../qrel-lines.ts'
import type { DatasetSink } from '../sink.ts'
import { openSource, type Source } from '../source.ts'

const CORPUS = /^(?:collection|msmarco-docs)\.tsv(?:\.gz)?$/
const QUERIES = /^(?:queries\.(.+)|msmarco-(?:doc)?(.+)-queries)\.tsv(?:\.gz)?$/
const QRELS =
  /^(?:qrels\.(.+)\.tsv|msmarco-(?:doc)?(.+)-qrels\.tsv|(\d{4})qrels-(?:pass|docs)\.txt)(?:\.gz)?$/

/**
 * MS MARCO's own TSV (Bajaj et al., 2016): `collection.tsv` (id, passage) or `msmarco-docs.tsv` (id, url, title, body),
 * `queries.<split>.tsv` and `qrels.<split>.tsv` in TREC's columns.
 */
export const msmarco = defineDatasetFormat({
  name: 'msmarco',
  summary: 'TSV of MS MARCO: collection.tsv or msmarco-docs.tsv, queries.<split>.tsv, qrels.<split>.tsv',
  drops: 'urls, top1000 and triples files; queries without qrels with `missingGold: count`',
  params: z.strictObject({
    path: z.string().describe('the folder'),
    split: z.string().optional().describe('name of the qrels, as dev.small; needed if there are several'),
    ...policyShape,
  }),
  sniff: (source) => {
    const { corpus, queries, qrels } = filesOf(source)
    const kinds = [corpus, queries, qrels].filter((files) => files.length > 0).length
    return kinds > 1 ? { files: [...corpus, ...queries, ...qrels] } : undefined
  },
  async load({ path, split }, sink) {
    const { corpus: corpora, queries, qrels } = filesOf(openSource(path))
    const corpus = oneOf(path, corpora)
    if (corpus === undefined)
      sink.diagnostic({ file: 'collection.tsv', message: 'is missing (or msmarco-docs.tsv)' })
    if (queries.length === 0) sink.diagnostic({ file: 'queries.<split>.tsv', message: 'is missing' })
    const judged = chooseSplit(path, qrels, split, sink)
    const asked =
      judged &&
      (oneOf(
        path,
        queries.filter((file) => splitOf(file, QUERIES) === splitOf(judged, QRELS)),
      ) ??
        only(queries))
    if (judged && queries.length > 0 && asked === undefined)
      sink.diagnostic({
        file: judged,
        message: `has no queries file of its split, next to ${queries.join(', ')}`,
      })
    if (corpus === undefined || !judged || !asked) return
    await eachRowOf(path, corpus, corpus.startsWith('msmarco-docs') ? 4 : 2, sink, (fields, location) => {
      const [id, ...rest] = fields
      const [title, text] = rest.length === 3 ? rest.slice(1) : ['', ...rest]
      sink.document({ id, title, text, metadata: {} }, location)
    })
    await eachRowOf(path, asked, 2, sink, ([id, text], location) =>
      sink.query({ id, text, metadata: {}, category: null, answers: [], answerable: true }, location),
    )
    await readTrecQrels(path, judged, sink)
    sink.notice(`read as MS MARCO: ${corpus}, ${asked}, ${judged}; query=1, document=3, grade=4 of the qrels`)
  },
})

function filesOf(source: Source) {
  const named = (pattern: RegExp) =>
    source.isFolder ? source.files.filter((file) => pattern.test(file)) : []
  return { corpus: named(CORPUS), queries: named(QUERIES), qrels: named(QRELS) }
}

function splitOf(file: string, pattern: RegExp): string {
  return (pattern.exec(file) ?? []).slice(1).find((part) => part !== undefined) ?? ''
}

function only(files: readonly string[]): string | undefined {
  return files.length === 1 ? files[0] : undefined
}

function chooseSplit(
  path: string,
  files: readonly string[],
  split: string | undefined,
  sink: DatasetSink,
): string | undefined {
  const names = [...new Set(files.map((file) => splitOf(file, QRELS)))]
  const wanted = split ?? only(names)
  const found = oneOf(
    path,
    files.filter((file) => splitOf(file, QRELS) === wanted),
  )
  if (found === undefined)
    sink.diagnostic({
      file: `qrels.${split ?? '<split>'}.tsv`,
      message:
        files.length === 0
          ? 'is missing'
          : `${split === undefined ? 'could be any of several splits' : 'is missing'}; say which with \`split\`: ${names.join(', ')}`,
    })
  return found
}

async function eachRowOf(
  folder: string,
  file: string,
  columns: number,
  sink: DatasetSink,
  take: (fields: string[], location: { file: string; line: number }) => void,
): Promise<void> {
  await eachFileLine(folder, file, sink, (content, line) => {
    const fields = content.split('\t')
    // MS MARCO's own files have none.
    if (line === 1 && isIdName(fields[0])) return
    if (fields.length === columns) take(fields, { file, line })
    else sink.diagnostic({ file, line, message: `has ${fields.length} columns between tabs, not ${columns}` })
  })
}
