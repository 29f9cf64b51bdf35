import { isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { type FileDocument, Unreadable } from './reader.ts'

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

const TEXTS = ['text', 'content', 'contents', 'body', 'passage', 'page_content']

const nameIn = (wanted: readonly string[], name: string) =>
  wanted.includes(name.trim().toLowerCase().replace(/[\s-]/g, '_'))

/** True for a record with a column whose name can only mean a text. */
export function hasText(record: unknown): boolean {
  return (
    isMap(record) &&
    Object.entries(record).some(([name, text]) => nameIn(TEXTS, name) && typeof text === 'string')
  )
}

/**
 * Rows as documents; the first row names the columns. Columns without a name are named by their number; a second column of one name is
 * `name 2`.
 */
export function rowsAsDocuments(rows: readonly (readonly string[])[], file: string): FileDocument[] {
  const [head, ...body] = rows
  if (!head || body.length === 0) throw new Unreadable('table without rows')
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const used = new Set<string>()
  // A file may have a million columns, all of one name.
  const counts = new Map<string, number>()
  const columns = Array.from({ length: width }, (_, at) => {
    const name = (head[at] ?? '').trim() || `column ${at + 1}`
    let count = counts.get(name) ?? 1
    let unique = name
    while (used.has(unique)) unique = `${name} ${++count}`
    counts.set(name, count)
    used.add(unique)
    return unique
  })
  const records = body.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at], cell])))
  const documents = documentsFrom(records, file, columns)
  if (!/^\d+$/.test(head[0]) || head.some((name) => nameIn(Object.values(ROLES).flat(), name)))
    return documents
  const remark = 'with a table whose first row is read as names of columns and begins with a number'
  return documents.map((document, at) => (at > 0 ? document : { ...document, remarks: [remark] }))
}

/**
 * Records as documents. A column called text, content, ... is the text, and title, name, ... the title; of other records each field is a
 * line. Other fields are metadata.
 */
export function documentsFrom(
  records: readonly Record<string, Json>[],
  file: string,
  names: readonly string[] = [...new Set(records.flatMap((record) => Object.keys(record)))],
): FileDocument[] {
  const find = (role: keyof typeof ROLES) =>
    ROLES[role].flatMap((wanted) => names.filter((name) => nameIn([wanted], name)))[0]
  const [id, title, text] = [find('id'), find('title'), find('text')]
  const places = new Map(names.map((name, place) => [name, place]))
  const fieldOf = (record: Record<string, Json>, name: string) =>
    Object.hasOwn(record, name) ? words(record[name]) : ''
  const ids = new Set(id === undefined ? [] : records.map((record) => fieldOf(record, id)))
  const isKey = id !== undefined && ids.size === records.length && !ids.has('')
  return records.flatMap((record, row): FileDocument[] => {
    const rest = Object.entries(record)
      .filter(([name, value]) => name !== text && name !== title && name !== id && words(value) !== '')
      .sort(([a], [b]) => places.get(a)! - places.get(b)!)
    const body =
      text === undefined
        ? rest.map(([name, value]) => `${name}: ${words(value)}`).join('\n')
        : fieldOf(record, text)
    const heading = title === undefined ? '' : fieldOf(record, title)
    // A row without a text is no document, and is counted if it has anything.
    if (body.trim() === '' && heading === '' && rest.length === 0) return []
    return [
      {
        part: isKey ? fieldOf(record, id) : String(row + 1),
        title: heading || `${file}, row ${row + 1}`,
        text: body || heading,
        metadata: text === undefined ? {} : Object.fromEntries(rest),
      },
    ]
  })
}

function words(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  return (typeof value === 'string' ? value : JSON.stringify(value)).trim()
}
