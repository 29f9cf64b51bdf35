import { readForeignTable } from '../tables/foreign.ts'
import { assignColumns, type Role } from '../tables/roles.ts'
import type { QrelsSink, RunSink } from './types.ts'

/** One row of a run or of judgements as the file holds it: two ids, a number, and a text that may be empty. */
export type RunRow = readonly [query: unknown, id: unknown, value: unknown, extra: string]

/** Rows of a Parquet file, the value of each role in turn; none, with diagnostics, if a column is missing. */
export async function readRows(
  path: string,
  into: RunSink | QrelsSink,
  roles: readonly [query: Role, document: Role, value: Role, extra: Role],
): Promise<RunRow[]> {
  const table = await readForeignTable(path)
  const { columns } = table
  const valuesOf = (column: number) => table.values(columns[column])
  const assigned = assignColumns(columns, roles, valuesOf, into.columns, (message) =>
    into.diagnostic(message),
  )
  if (!assigned) return []
  if (assigned.read) into.read(assigned.read)
  const [queries, ids, values] = assigned.indexes.slice(0, 3).map(valuesOf)
  const extra = assigned.indexes[3]
  const extras = extra < 0 ? null : table.strings(columns[extra])
  return queries.map((query, row) => [query, ids[row], values[row], extras ? extras[row] : ''])
}
