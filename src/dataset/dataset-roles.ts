import { z } from 'zod'
import type { ColumnRole } from '../tables/roles.ts'
import { DOCUMENT, QUERY } from '../tables/roles.ts'
import { idError } from '../text/ids.ts'

/** Roles of columns in tables of documents and of questions. Runs and qrels have theirs in `tables/roles`. */

const isId = (value: unknown) => idError(value) === undefined
const isText = (value: unknown) => typeof value === 'string'
const isAny = () => true

export const DOCUMENT_ID: ColumnRole = {
  name: 'document',
  names: [['_id', ...DOCUMENT.names[0]], ...DOCUMENT.names.slice(1)],
  fits: isId,
}
export const DOCUMENT_TEXT: ColumnRole = {
  name: 'text',
  names: [['text'], ['contents', 'content'], ['passage', 'body', 'document', 'page_content']],
  fits: isText,
}
export const DOCUMENT_TITLE: ColumnRole = { name: 'title', names: [['title']], fits: isAny, optional: true }
export const QUERY_ID: ColumnRole = {
  name: 'id',
  names: [['_id', ...QUERY.names[0]], ['id'], ['uid', 'item_id', 'example_id']],
  fits: isId,
}
export const QUERY_TEXT: ColumnRole = {
  name: 'query',
  names: [
    ['text', 'question', 'query', 'user_input'],
    ['query_text', 'title'],
  ],
  fits: isText,
}
export const optional = (role: ColumnRole): ColumnRole => ({ ...role, optional: true })

/** Param that says which column plays a role where names and content do not. */
export function columnsParam<const R extends string>(roles: readonly [R, ...R[]]) {
  return z
    .partialRecord(z.enum(roles), z.union([z.string(), z.int().min(1)]))
    .optional()
    .describe(`columns by name, as {${roles[0]}: NAME}, if names and content are ambiguous`)
}
