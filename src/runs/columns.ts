import { assignColumns, DOCUMENT, GRADE, GROUP, NAME, QUERY, RANK, SCORE } from '../tables/roles.ts'
import { readScore } from '../text/numbers.ts'
import type { FileKind, RowSink } from './types.ts'

const COLUMNS = { run: [QUERY, DOCUMENT, SCORE, NAME, RANK], qrels: [QUERY, DOCUMENT, GRADE, GROUP] }

/** Header or row of a table. */
export interface TableRow {
  readonly fields: readonly unknown[]
  /** From 1. */
  readonly line?: number
  readonly diagnostic?: string
}

/** Chooses the columns of a table with a header, and hands its rows on. */
export function takeRows(
  header: { readonly fields: readonly string[]; readonly line?: number } | undefined,
  rows: readonly TableRow[],
  into: RowSink,
  kind: FileKind,
): void {
  if (!header) return
  const names = header.fields
  const isWhole = ({ fields, diagnostic }: TableRow) => !diagnostic && fields.length === names.length
  const valuesOf = (column: number) => rows.filter(isWhole).map(({ fields }) => fields[column])
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) into.diagnostic(`has the column \`${twice}\` twice`, header.line)
  const assigned = assignColumns(names, COLUMNS[kind], valuesOf, into.known, (message) =>
    into.diagnostic(message, header.line),
  )
  if (!assigned || twice !== undefined) return
  if (assigned.read) into.read(assigned.read)
  const [query, id, value, extra, rank = -1] = assigned.indexes
  for (const row of rows) {
    const { fields, line, diagnostic } = row
    if (diagnostic) into.diagnostic(diagnostic, line)
    else if (!isWhole(row))
      into.diagnostic(`has ${fields.length} fields; the header has ${names.length}`, line)
    else
      into.take(
        fields[query],
        fields[id],
        fields[value],
        line,
        extra < 0 ? '' : String(fields[extra] ?? ''),
        rank < 0 ? undefined : readScore(fields[rank]),
      )
  }
}
