import { z } from 'zod'
import { DOCUMENT, QUERY } from '../../tables/roles.ts'
import { isMap } from '../../text/json.ts'
import { printedLists } from '../../text/printed-lists.ts'
import type { Json } from '../../types.ts'
import { textIn, textsOf } from '../contexts.ts'
import { DOCUMENT_TEXT, DOCUMENT_TITLE } from '../dataset-roles.ts'
import { defineDatasetFormat } from '../format.ts'
import { policyShape } from '../policies.ts'
import { idOf, pickColumns, readRows } from '../rows.ts'
import { hasKeys, openSource, type Source } from '../source.ts'

const ANY = { fits: () => true }
const QUESTIONS = {
  id: { ...QUERY, name: 'id' },
  query: { name: 'query', names: [['query'], ['question']], ...ANY },
  gold: { name: 'gold', names: [['retrieval_gt']], ...ANY },
  answer: { name: 'answer', names: [['generation_gt']], ...ANY, optional: true },
}
const DOCUMENTS = { document: DOCUMENT, text: DOCUMENT_TEXT, title: DOCUMENT_TITLE }

/**
 * AutoRAG's folder (Marker-Inc-Korea/AutoRAG): `qa.parquet` with `qid, query, retrieval_gt, generation_gt` and `corpus.parquet`
 * with `doc_id, contents, metadata`, or both as CSV. `retrieval_gt` is a list of lists: one document of each inner list is needed.
 */
export const autorag = defineDatasetFormat({
  name: 'autorag',
  summary: 'a folder of AutoRAG: qa.parquet and corpus.parquet (or .csv), nested retrieval_gt',
  drops: 'prev_id, next_id and dates of the corpus',
  params: z.strictObject({ path: z.string().describe('the folder'), ...policyShape }),
  sniff: (source) => {
    const { qa, corpus } = filesOf(source)
    return qa.length + corpus.length > 0 ? { files: [...qa, ...corpus] } : undefined
  },
  async load({ path }, sink) {
    const { qa, corpus } = filesOf(openSource(path))
    for (const [files, name] of [
      [qa, 'qa.parquet'],
      [corpus, 'corpus.parquet'],
    ] as const) {
      if (files.length === 0) sink.diagnostic({ file: name, message: 'is missing from this AutoRAG folder' })
      if (files.length > 1)
        sink.diagnostic({
          file: files[1],
          message: `is a second ${name}, next to ${files[0]}; move one of them out of the folder`,
        })
    }
    if (qa.length !== 1 || corpus.length !== 1) return
    const documents = await readRows(path, corpus[0], sink)
    const document = documents.length > 0 && pickColumns(documents, DOCUMENTS, { file: corpus[0] }, sink)
    if (document)
      for (const row of documents) {
        const { location } = row
        const id = idOf(document.of(row, 'document'), 'document', location, sink)
        const text = textIn(document.of(row, 'text'), 'contents', location, sink)
        const metadata = row.fields.metadata
        const file = textsOf(row.fields.path)
        if (id !== undefined && text !== undefined)
          sink.document(
            {
              id,
              title: textsOf(document.of(row, 'title')).join(' '),
              text,
              metadata: { ...withoutDates(metadata), ...(file.length > 0 ? { path: file[0] } : {}) },
            },
            location,
          )
      }
    else if (documents.length === 0) sink.diagnostic({ file: corpus[0], message: 'holds no document' })
    const questions = await readRows(path, qa[0], sink)
    const question = questions.length > 0 && pickColumns(questions, QUESTIONS, { file: qa[0] }, sink)
    if (!question) {
      if (questions.length === 0) sink.diagnostic({ file: qa[0], message: 'holds no question' })
      return
    }
    for (const row of questions) {
      const { location } = row
      const id = idOf(question.of(row, 'id'), 'id', location, sink)
      if (id === undefined) continue
      const text = textIn(question.of(row, 'query'), 'query', location, sink, ' ')
      if (text === undefined) continue
      const answers = textsOf(listIn(question.of(row, 'answer')))
      sink.query({ id, text, metadata: {}, category: null, answers, answerable: true }, location)
      const seen = new Set<string>()
      const gold = listIn(question.of(row, 'gold'))
      if (typeof gold === 'string' && /^\s*(?:\[|array\()/.test(gold))
        sink.diagnostic({
          ...location,
          message: `retrieval_gt is no readable list: ${JSON.stringify(gold.slice(0, 60))}`,
        })
      goldGroups(gold).forEach((group, index) => {
        for (const one of group) {
          if (!seen.has(one))
            sink.qrel(
              { queryId: id, id: one, grade: 1, ...(group.length > 1 ? { group: String(index + 1) } : {}) },
              location,
            )
          seen.add(one)
        }
      })
    }
    sink.notice(
      `read as AutoRAG: ${qa[0]}, ${corpus[0]}; ${question.read}, grade=1; ${document ? document.read : ''}`,
    )
  },
})

function filesOf(source: Source): { qa: string[]; corpus: string[] } {
  if (!source.isFolder) return { qa: [], corpus: [] }
  const tables = source.files.filter((file) => /^(?:data\/)?[^/]+\.(?:parquet|csv)$/.test(file))
  const qa = tables.filter((file) => hasKeys(source.shape(file), 'retrieval_gt'))
  const corpus = tables.filter((file) => hasKeys(source.shape(file), 'doc_id', 'contents'))
  return { qa, corpus }
}

/** A value of Parquet, or the list that a cell of CSV prints. */
function listIn(value: Json): Json {
  return typeof value === 'string' ? (printedLists(value) ?? value) : value
}

/** `[[a, b], [c]]`: one of a and b, and c; `[a, b]` and `a` as older versions write them. */
function goldGroups(value: Json): string[][] {
  if (!Array.isArray(value)) return textsOf(value).map((one) => [one])
  return value.map((one: Json) => textsOf(one)).filter((group) => group.length > 0)
}

function withoutDates(metadata: Json | undefined): Record<string, Json> {
  if (!isMap(metadata)) return {}
  return Object.fromEntries(
    Object.entries(metadata).filter(
      (entry): entry is [string, Json] =>
        entry[1] !== null && entry[1] !== undefined && !/datetime$|^(prev|next)_id$/.test(entry[0]),
    ),
  )
}
