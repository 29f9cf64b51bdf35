import {
  assignColumns,
  type ColumnRole,
  DOCUMENT,
  GRADE,
  GROUP,
  type KnownIds,
  QUERY,
} from '../tables/roles.ts'
import { idError } from '../text/ids.ts'
import type { Json } from '../types.ts'
import type { Fields } from './lines.ts'

/** Names that each column of a kind of records may have. Runs and qrels have theirs in `tables/roles`. */
export type Columns = Readonly<Record<string, ColumnRole>>

/** A column by its ranks of names, the most trusted first. */
export const column = (name: string, ...names: readonly (readonly string[])[]): ColumnRole => ({
  name,
  names: names.length > 0 ? names : [[name]],
  fits: () => true,
})
export const optional = (role: ColumnRole): ColumnRole => ({ ...role, optional: true })

const isId = (value: unknown) => idError(value) === undefined
const isText = (value: unknown) => typeof value === 'string'

const DOCUMENT_ID: ColumnRole = { name: 'document', names: [['_id'], ...DOCUMENT.names, ['id']], fits: isId }
export const DOCUMENT_TEXT: ColumnRole = {
  name: 'text',
  names: [['text'], ['contents', 'content'], ['passage', 'body', 'document', 'page_content']],
  fits: isText,
}
export const DOCUMENT_TITLE = optional(column('title'))
export const DOCUMENT_COLUMNS = {
  id: DOCUMENT_ID,
  text: DOCUMENT_TEXT,
  title: DOCUMENT_TITLE,
  metadata: optional(column('metadata')),
}

export const QUERY_COLUMNS = {
  id: {
    name: 'id',
    names: [['_id'], ...QUERY.names.slice(0, 1), ['id'], ['uid', 'item_id', 'example_id', 'question_id']],
    fits: isId,
  },
  text: {
    name: 'query',
    names: [
      ['text', 'question', 'query', 'user_input'],
      ['query_text', 'title'],
    ],
    fits: isText,
  },
  answers: optional(
    column('answer', ['answers', 'answer'], ['reference_answer', 'expected_answer', 'ground_truth']),
  ),
  category: optional(column('category')),
  answerable: optional(column('answerable')),
  evidence: optional(column('evidence')),
  metadata: optional(column('metadata')),
}

export const LABEL_COLUMNS = { query: QUERY, document: DOCUMENT, grade: optional(GRADE), group: GROUP }

export interface Picked {
  readonly names: Readonly<Record<string, string | undefined>>
  /** Roles and columns: `query=question, answer=reference`. */
  readonly read: string
  /** The columns in words if their names left a choice; else ''. */
  readonly other: string
}

/** Chooses the column of each role by names and content; undefined after a problem, which `wrong` gets. */
export function pickColumns(
  rows: readonly Fields[],
  columns: Columns,
  wrong: (message: string) => void,
  knownIds?: KnownIds,
): Picked | undefined {
  const header = [...new Set(rows.flatMap((fields) => Object.keys(fields)))]
  const roles = Object.keys(columns)
  const valuesOf = (index: number) => rows.map((fields) => fields[header[index]])
  const assigned = assignColumns(header, Object.values(columns), valuesOf, knownIds, wrong)
  if (!assigned) return undefined
  const names = Object.fromEntries(roles.map((role, index) => [role, header[assigned.indexes[index]]]))
  const assignedRoles = roles.filter((role) => names[role] !== undefined && role !== 'metadata')
  return {
    names,
    read: assignedRoles.map((role) => `${columns[role].name}=${names[role]}`).join(', '),
    other: assigned.read,
  }
}

/** Values of a record by role; null for a column that a record lacks. */
export function valuesByRole(
  fields: Fields,
  { names }: Pick<Picked, 'names'>,
): Record<string, Json | undefined> {
  const values: Record<string, Json | undefined> = {}
  for (const role of Object.keys(names)) {
    const name = names[role]
    values[role] = name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
  }
  return values
}

/** True for what a filter can read: a text, a number, a truth value, a list of texts. */
export function isFilterable(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isText)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
