import { readForeignTable } from '../tables/foreign.ts'
import { columnIndex, missingColumn } from './columns.ts'

/** One row of a run or of judgements as the file holds it: two ids, a number, and a text that may be empty. */
export type Row = readonly [query: unknown, id: unknown, value: unknown, extra: string]

/** The rows of a Parquet file; none, with mistakes, where a column is missing. `value` is the names of the number's column. */
export async function readRows(
  path: string,
  into: { mistake(message: string): void },
  names: {
    readonly query: readonly string[]
    readonly id: readonly string[]
    readonly value: readonly string[]
    readonly extra: readonly string[]
  },
): Promise<Row[]> {
  const table = await readForeignTable(path)
  const { columns } = table
  const wanted = [names.query, names.id, names.value]
  const indexes = wanted.map((own) => columnIndex(columns, own))
  indexes.forEach((index, column) => {
    if (index < 0) into.mistake(missingColumn(columns, wanted[column]))
  })
  if (indexes.includes(-1)) return []
  const [queries, ids, values] = indexes.map((index) => table.values(columns[index]))
  const extra = columnIndex(columns, names.extra)
  const extras = extra < 0 ? null : table.strings(columns[extra])
  return queries.map((query, row) => [query, ids[row], values[row], extras ? extras[row] : ''])
}
