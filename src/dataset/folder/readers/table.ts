import { parseCsv } from '../../../text/csv.ts'
import { isMap } from '../../../text/json.ts'
import type { Json } from '../../../types.ts'
import { decodeText } from '../decode.ts'
import { defineReader, type FileDocument, Unreadable } from '../reader.ts'

/** Names of columns, best first. */
const ROLES = {
  id: ['_id', 'id', 'doc_id', 'docid', 'docno', 'document_id', 'key', 'slug'],
  title: ['title', 'heading', 'name', 'subject', 'question', 'headline'],
  text: [
    'text',
    'content',
    'contents',
    'body',
    'passage',
    'page_content',
    'answer',
    'description',
    'abstract',
    'message',
  ],
} as const

/** CSV: each row is a document. */
export const csv = defineReader({
  name: 'csv',
  version: 4,
  isText: true,
  read(bytes, file) {
    const rows = parseCsv(decodeText(bytes))
    const wrong = rows.find(({ diagnostic }) => diagnostic !== undefined)
    if (wrong) throw new Unreadable(`damaged CSV (line ${wrong.line}: ${wrong.diagnostic})`)
    return rowsAsDocuments(
      rows.map(({ fields }) => fields),
      file,
    )
  },
})

/** Values between tabs: each row is a document. */
export const tsv = defineReader({
  name: 'tsv',
  version: 4,
  isText: true,
  read: (bytes, file) =>
    rowsAsDocuments(
      decodeText(bytes)
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '')
        .map((line) => line.split('\t')),
      file,
    ),
})

/** JSON Lines: each object is a document. */
export const jsonl = defineReader({
  name: 'jsonl',
  version: 2,
  isText: true,
  read(bytes, file) {
    const records = decodeText(bytes)
      .split(/\r?\n/)
      .flatMap((line, index) => (line.trim() === '' ? [] : [recordOf(line, index + 1)]))
    return recordsAsDocuments(records, file)
  },
})

function recordOf(line: string, number: number): Record<string, Json> {
  try {
    const value: unknown = JSON.parse(line)
    if (isMap(value)) return value as Record<string, Json>
  } catch {
    // Said below.
  }
  throw new Unreadable(`damaged JSON Lines (line ${number} is no object)`)
}

/**
 * Rows as documents; the first row has the names of the columns. Columns without a name, and cells behind the last one, are named by
 * their number; a second column of one name is `name 2`.
 */
export function rowsAsDocuments(rows: readonly (readonly string[])[], file: string): FileDocument[] {
  const [head, ...body] = rows
  if (!head || body.length === 0) throw new Unreadable('table without rows')
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const names = new Set<string>()
  for (let at = 0; at < width; at++) {
    const name = (head[at] ?? '').trim() || `column ${at + 1}`
    let unique = name
    for (let count = 2; names.has(unique); count++) unique = `${name} ${count}`
    names.add(unique)
  }
  const columns = [...names]
  const documents = recordsAsDocuments(
    body.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? '']))),
    file,
  )
  if (!/^\d+$/.test(head[0]) || head.some((name) => nameIn(Object.values(ROLES).flat(), name)))
    return documents
  const remark = 'with a table whose first row is read as names of columns and begins with a number'
  return documents.map((document, at) => (at > 0 ? document : { ...document, remarks: [remark] }))
}

const nameIn = (wanted: readonly string[], name: string) =>
  wanted.includes(name.trim().toLowerCase().replace(/[\s-]/g, '_'))

/** Names of texts that are nothing else. */
const TEXTS = ['text', 'content', 'contents', 'body', 'passage', 'page_content']

/** True for records that each have a text. */
export function areDocuments(list: readonly unknown[]): list is Record<string, Json>[] {
  return (
    list.length > 0 &&
    list.every(
      (one) =>
        isMap(one) &&
        Object.entries(one).some(([name, value]) => nameIn(TEXTS, name) && typeof value === 'string'),
    )
  )
}

/**
 * Records as documents. A column called text, content, body, ... is the text, and title, name, ... the title; of other
 * records each field is a line. All other fields are metadata.
 */
export function recordsAsDocuments(records: readonly Record<string, Json>[], file: string): FileDocument[] {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const find = (role: keyof typeof ROLES) =>
    ROLES[role].flatMap((wanted) => names.filter((name) => nameIn([wanted], name)))[0]
  const [id, title, text] = [find('id'), find('title'), find('text')]
  const ids = new Set(id === undefined ? [] : records.map((record) => words(record[id])))
  const isKey = id !== undefined && ids.size === records.length && !ids.has('')
  return records.flatMap((record, row): FileDocument[] => {
    const rest = names.filter(
      (name) => name !== text && name !== title && name !== id && words(record[name]) !== '',
    )
    const body =
      text === undefined
        ? rest.map((name) => `${name}: ${words(record[name])}`).join('\n')
        : words(record[text])
    const heading = title === undefined ? '' : words(record[title])
    // A row without a text is no document, and is counted if it has anything.
    if (body.trim() === '' && heading === '' && rest.length === 0) return []
    return [
      {
        part: isKey ? words(record[id]) : String(row + 1),
        title: heading || `${file}, row ${row + 1}`,
        text: body || heading,
        metadata:
          text === undefined ? {} : Object.fromEntries(rest.map((name) => [name, record[name] as Json])),
      },
    ]
  })
}

function words(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  return (typeof value === 'string' ? value : JSON.stringify(value)).trim()
}
