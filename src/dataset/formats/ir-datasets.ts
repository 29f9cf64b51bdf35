import { isBlank } from '../../text/characters.ts'
import { DOCUMENT_COLUMNS, DOCUMENT_TEXT, QUERY_COLUMNS } from '../columns.ts'
import { defineFormat } from '../format.ts'
import type { Fields } from '../lines.ts'
import { documentOf, questionOf } from '../mappers.ts'
import { type Layout, tabbed } from '../records.ts'

/** Names of the text, which ir_datasets calls differently in each set. */
const TEXTS = ['text', 'body', 'contents', 'abstract', 'passage', 'default_text', 'content', 'document']
const QUESTIONS = ['text', 'query', 'title', 'question']
const IDS = ['doc_id', 'docno', 'document_id', 'docid', 'query_id', 'qid', 'pid', 'id', '_id']

/**
 * A folder of what `ir_datasets export <set> docs|queries|qrels` prints (MacAvaney et al., SIGIR 2021), each file
 * plain or `.gz`:
 *
 *     docs.jsonl     {"doc_id", "text", "title" (optional)}    or docs.tsv     doc_id, text, and a title before or after
 *     queries.jsonl  {"query_id", "text"}                      or queries.tsv  query_id, text
 *     qrels          query iteration document grade, as trec_eval reads it
 */
export const irDatasets = defineFormat({
  name: 'ir-datasets',
  summary: 'a folder of ir_datasets exports: docs, queries, qrels in TREC form',
  drops: 'other fields of a query, nested ones of a document',
  path: 'the folder',
  roles: {
    corpus: {
      name: 'docs.jsonl',
      also: 'or docs.tsv',
      path: /^docs\.(?:jsonl|tsv)(?:\.gz)?$/,
      columns: {
        ...DOCUMENT_COLUMNS,
        id: { ...DOCUMENT_COLUMNS.id, names: [['doc_id'], ...DOCUMENT_COLUMNS.id.names] },
        text: { ...DOCUMENT_TEXT, names: TEXTS.map((name) => [name]) },
      },
      records: tabbed((fields) => isHeader(fields, TEXTS), documentLayout),
    },
    questions: {
      name: 'queries.jsonl',
      also: 'or queries.tsv',
      path: /^queries\.(?:jsonl|tsv)(?:\.gz)?$/,
      columns: {
        id: { ...QUERY_COLUMNS.id, names: [['query_id'], ...QUERY_COLUMNS.id.names] },
        text: { ...QUERY_COLUMNS.text, names: QUESTIONS.map((name) => [name]) },
      },
      records: tabbed((fields) => isHeader(fields, QUESTIONS), questionLayout),
    },
    labels: {
      name: 'qrels',
      also: 'or qrels.txt, qrels.trec, qrels.tsv',
      path: /^qrels(?:\.(?:txt|trec|tsv))?(?:\.gz)?$/,
      isTrec: true,
    },
  },
  hasFixedNames: true,
  least: 2,
  document({ title, ...values }, context) {
    const [id, text, ...others] = context.taken
    const name = textName(context.fields, [text, ...TEXTS])
    const assigned = [id, name, ...others]
    return {
      ...documentOf(
        { ...values, title: title ?? '', text: context.fields[name] },
        { ...context, taken: assigned },
      ),
      ...(name !== text && { remark: 'documents without a text there, read from another field' }),
    }
  },
  question: ({ id }, { fields, taken: [, text] }) =>
    questionOf({ id, text: fields[textName(fields, [text, ...QUESTIONS])] }),
})

function textName(fields: Fields, names: readonly (string | undefined)[]): string {
  const texts = names.filter((name) => name !== undefined && typeof fields[name] === 'string') as string[]
  return texts.find((name) => !isBlank(String(fields[name]))) ?? texts[0] ?? 'text'
}

function isHeader(fields: readonly string[], texts: readonly string[]): boolean {
  const names = fields.map((name) => name.trim().toLowerCase().replaceAll('-', '_'))
  return (
    IDS.includes(names[0]) ||
    (names.some((name) => IDS.includes(name)) && names.some((name) => texts.includes(name)))
  )
}

const REMEDY =
  'Begin the file with a header, as doc_id, title and text between tabs, or export with --format jsonl'
/** A text is this many times as long as its title, over the sample, and longer in this share of its lines. */
const [LONGER, SHARE] = [2, 0.9]

/**
 * ir_datasets writes `doc_id, text, title` or `doc_id, title, text` without a header: the text is the column that is longer by far.
 */
function documentLayout(...[lines, tell]: Parameters<Layout>): ReturnType<Layout> {
  const { length } = lines[0]
  if (length === 2) return ['doc_id', 'text']
  if (length !== 3)
    return length === 1
      ? 'has 1 column between tabs; id and text are needed'
      : `has ${length} columns; which of them are the text and the title? ${REMEDY}`
  const whole = lines.filter((fields) => fields.length === 3)
  const isLonger = (a: number, b: number) => {
    const size = (column: number) => whole.reduce((sum, fields) => sum + fields[column].length, 0)
    const longer = whole.filter((fields) => fields[a].length > fields[b].length)
    return size(a) >= LONGER * size(b) && longer.length >= SHARE * whole.length
  }
  const text = isLonger(1, 2) ? 1 : isLonger(2, 1) ? 2 : undefined
  if (text !== undefined) {
    tell(`text from column ${text + 1}, the longer, and title from column ${4 - text}`)
    return text === 1 ? ['doc_id', 'text', 'title'] : ['doc_id', 'title', 'text']
  }
  return `has two columns besides the id, and neither is the longer by far: which is the text? ${REMEDY}`
}

/** Other columns of a query may have anything, as an address or a description. */
function questionLayout([{ length }]: Parameters<Layout>[0]): ReturnType<Layout> {
  return length === 2
    ? ['query_id', 'text']
    : `has ${length} columns: which of them is the query's text? Begin the file with a header, as query_id and text between tabs, or export with --format jsonl`
}
