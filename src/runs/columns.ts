import { assignColumns, type ColumnRole, DOCUMENT, NAME, QUERY, RANK, SCORE } from '../tables/roles.ts'
import type { QrelsSink, RunSink } from './types.ts'

/** Roles of the columns of a run. */
export const RUN_COLUMNS = [QUERY, DOCUMENT, SCORE, NAME, RANK] as const

/** A row of a table with a header, as text. */
export interface TextRow {
  readonly fields: readonly string[]
  /** From 1. */
  readonly line: number
  readonly diagnostic?: string
}

/** Hands on the fields of each role, row by row; '' for an optional role without a column. */
export function takeRows(
  [header, ...rows]: readonly TextRow[],
  into: RunSink | QrelsSink,
  roles: readonly ColumnRole[],
  take: (fields: string[], line: number) => void,
): void {
  if (!header) return
  const isWhole = ({ fields, diagnostic }: TextRow) => !diagnostic && fields.length === header.fields.length
  const valuesOf = (column: number) => rows.filter(isWhole).map(({ fields }) => fields[column])
  const twice = header.fields.find((name, index) => name !== '' && header.fields.indexOf(name) !== index)
  if (twice !== undefined) into.diagnostic(`has the column \`${twice}\` twice`, header.line)
  const assigned = assignColumns(header.fields, roles, valuesOf, into.columns, (message) =>
    into.diagnostic(message, header.line),
  )
  if (!assigned || twice !== undefined) return
  if (assigned.read) into.read(assigned.read)
  for (const row of rows) {
    if (row.diagnostic) into.diagnostic(row.diagnostic, row.line)
    else if (!isWhole(row))
      into.diagnostic(`has ${row.fields.length} fields; the header has ${header.fields.length}`, row.line)
    else
      take(
        assigned.indexes.map((index) => (index < 0 ? '' : row.fields[index])),
        row.line,
      )
  }
}
