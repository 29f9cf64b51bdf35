import { inspect } from 'node:util'
import { UserError } from '../../../errors.ts'
import type { TableBuilder } from '../../../tables/table.ts'
import { printedLists } from '../../../text/json.ts'

/** Columns of another program's tables, which have passed through pandas, SQL or CSV: numbers as text, lists as text. */

/** Texts of a column, '' where there is none; numbers as text. All are '' if the table lacks the column. */
export function textsIn(table: TableBuilder, column: string): string[] {
  if (!table.has(column)) return new Array<string>(table.rows).fill('')
  return table.values(column).map((value, row) => {
    if (value === null) return ''
    if (typeof value === 'object') throw misfit(table, column, row, 'a text', value)
    return String(value)
  })
}

/** Numbers of a column, also those written as text; NaN where there is none. */
export function numbersIn(table: TableBuilder, column: string): number[] {
  // An absent column is named by the table.
  return table.values(column).map((value, row) => {
    if (value === null || (typeof value === 'string' && /^(?:nan)?$/i.test(value.trim()))) return Number.NaN
    const number = typeof value === 'object' || typeof value === 'boolean' ? Number.NaN : Number(value)
    if (Number.isNaN(number) && !Number.isNaN(value)) throw misfit(table, column, row, 'a number', value)
    return number
  })
}

/** Lists of ids; lists that a text holds, in JSON or as Python prints them, are read too. */
export function idsIn(table: TableBuilder, column: string): string[][] {
  return table.values(column).map((value, row) => {
    const list = listOf(value)
    if (list === undefined || list.some((id) => typeof id === 'object'))
      throw misfit(table, column, row, 'a list of ids', value)
    return list.map(String)
  })
}

/** Lists of records or texts; undefined for any other value. */
export function listOf(value: unknown): unknown[] | undefined {
  if (value === null || value === undefined || value === '') return []
  const list = typeof value === 'string' ? printedLists(value) : value
  return Array.isArray(list) ? list.map(asText) : undefined
}

/** Decodes bytes as UTF-8: some writers do not mark a column as text. */
function asText(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
}

function misfit(
  { path }: TableBuilder,
  column: string,
  row: number,
  kind: string,
  value: unknown,
): UserError {
  const shown = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY }).slice(0, 40)
  return new UserError({ file: path, message: `column "${column}", row ${row + 1}: ${shown} is not ${kind}` })
}
