import { readGrade } from '../text/numbers.ts'
import {
  assignColumns,
  type ColumnOptions,
  chosenIndex,
  DOCUMENT,
  GRADE,
  GROUP,
  hasRole,
  isHeader,
  QUERY,
} from './roles.ts'

/** A line of a table between tabs. */
export interface TableLine {
  readonly fields: readonly string[]
  /** From 1. */
  readonly line: number
}

interface QrelTable {
  qrel(query: string, id: string, grade: string, line: number, group?: string): void
  diagnostic(message: string, line?: number): void
  /** Chosen columns, if the file leaves the choice open. */
  read(columns: string): void
}

interface TableOptions extends ColumnOptions {
  /** Reads a table that may be TREC's or BEIR's as TREC's, as trec_eval does. */
  readonly lenient?: boolean
}

type Indexes = readonly [query: number, document: number, grade: number, group: number]

const BEIR: Indexes = [0, 1, 2, 3]
const TREC: Indexes = [0, 2, 3, -1]

/**
 * Qrels between tabs. With a header: columns by name and content. Without: `query document grade [group]` (BEIR's,
 * and our groups) or TREC's `query iteration document grade`, whichever all lines allow and the known ids meet. Where
 * both hold, TREC's if the iteration is 0 or Q0 throughout; else a diagnostic.
 */
export function readQrelTable(lines: readonly TableLine[], options: TableOptions, into: QrelTable): void {
  if (lines.length === 0) return
  const [first, ...rest] = lines
  const header = isHeader(first.fields)
  const body = header ? rest : lines
  const indexes = header ? headed(first, body, options, into) : headless(body, options, into)
  if (!indexes) return
  const [query, document, grade, group] = indexes
  const most = header || options.columns ? first.fields.length : 4
  for (const { fields, line } of body)
    if (fields.length > most || fields.length <= Math.max(query, document, grade))
      into.diagnostic(
        `has ${fields.length} column${fields.length === 1 ? '' : 's'} separated by tabs, not ${
          header
            ? first.fields.join(', ')
            : indexes === TREC
              ? 'query, iteration, document, grade'
              : 'query, document, grade (and group)'
        }`,
        line,
      )
    else into.qrel(fields[query], fields[document], fields[grade], line, fields[group] || undefined)
}

/** Column of the query, which other splits' qrels are asked for alone. */
export function queryColumn({ fields }: TableLine): number | undefined {
  if (!isHeader(fields)) return undefined
  return hasRole(fields, QUERY)
    ? (assignColumns(
        fields,
        [QUERY],
        () => [],
        { say: () => '' },
        () => {},
      )?.indexes[0] ?? 0)
    : 0
}

function headed(
  { fields: header, line }: TableLine,
  body: readonly TableLine[],
  options: TableOptions,
  into: QrelTable,
): Indexes | undefined {
  const valuesOf = (column: number) =>
    body.flatMap(({ fields }) => (fields.length > column ? [fields[column]] : []))
  const assigned = assignColumns(header, [QUERY, DOCUMENT, GRADE, GROUP], valuesOf, options, (message) =>
    into.diagnostic(message, line),
  )
  if (!assigned) return undefined
  // BEIR's own names are no news.
  if (assigned.read && header.slice(0, 3).join(' ') !== 'query-id corpus-id score') into.read(assigned.read)
  return assigned.indexes as unknown as Indexes
}

function headless(
  lines: readonly TableLine[],
  { columns, known = {}, say, lenient }: TableOptions,
  into: QrelTable,
): Indexes | undefined {
  if (columns) {
    const chosen = [QUERY, DOCUMENT, GRADE, GROUP].map(({ name }, role) =>
      columns[name] === undefined
        ? role === 0
          ? 0
          : -1
        : chosenIndex(
            lines[0].fields.map(() => ''),
            columns[name],
          ),
    )
    if (!chosen.slice(0, 3).includes(-1)) return chosen as unknown as Indexes
    into.diagnostic(
      `has ${lines[0].fields.length} columns and no header; name columns by number from 1, with ${say({ document: 3, grade: 4 })}`,
      lines[0].line,
    )
    return undefined
  }
  const isWide = lines.every(({ fields }) => fields.length === 4)
  if (!isWide) return BEIR
  const meets = (column: number) =>
    !known.document || lines.some(({ fields }) => known.document?.(fields[column]))
  const isBeir = isReading(lines, BEIR) && meets(BEIR[1])
  const isIteration = lines.every(({ fields }) => /^q?\d+$/i.test(fields[1]))
  const isTrec = isIteration && isReading(lines, TREC) && meets(TREC[1])
  const isZero = lines.every(({ fields }) => /^q?0$/i.test(fields[1]))
  if (isBeir && isTrec && !isZero && !lenient) {
    into.diagnostic(
      `can be read as query, document, grade, group (BEIR) and as query, iteration, document, grade (TREC); say which with ${say({ document: 2, grade: 3 })} or ${say({ document: 3, grade: 4 })}, or begin the file with a header`,
      lines[0].line,
    )
    return undefined
  }
  if (!(isTrec || (isZero && !isBeir))) return BEIR
  into.read('query, iteration, document and grade from columns 1 to 4, as in TREC')
  return TREC
}

/** True if every line has a grade in its column, and no pair of query and document occurs twice. */
function isReading(lines: readonly TableLine[], [query, document, grade]: Indexes): boolean {
  const pairs = new Set<string>()
  return (
    lines.every(({ fields }) => {
      pairs.add(`${fields[query]}\t${fields[document]}`)
      return readGrade(fields[grade]) !== undefined
    }) && pairs.size === lines.length
  )
}
