import { UserError } from '../errors.ts'
import { readGrade, readScore } from '../text/numbers.ts'
import { assignColumns, DOCUMENT, GRADE, GROUP, isHeader, type KnownIds, QUERY } from './roles.ts'

export interface TableLine {
  readonly fields: readonly string[]
  readonly line: number
}

interface QrelTable {
  qrel(query: string, id: string, grade: string, line: number, group?: string): void
  diagnostic(message: string, line?: number): void
  /** Takes the chosen columns, if the file leaves the choice open. */
  read(columns: string): void
}

interface TableOptions {
  readonly known?: KnownIds
  /** Expects TREC's columns, as between white space. */
  readonly isTrec?: boolean
}

type Indexes = readonly [query: number, document: number, grade: number, group: number]

const BEIR: Indexes = [0, 1, 2, 3]
const TREC: Indexes = [0, 2, 3, -1]
/** `query document grade iteration`: ir_datasets' TSV. */
const ITERATION_LAST: Indexes = [0, 1, 2, -1]
const GRADE_FIRST: Indexes = [0, 2, 1, -1]

/**
 * Qrels between tabs or white space. With a header: columns by name and content. Without: BEIR's, TREC's or
 * ir_datasets' order, whichever all lines allow and the known ids meet.
 */
export function readQrelTable(lines: readonly TableLine[], options: TableOptions, into: QrelTable): void {
  if (lines.length === 0) return
  const [first, ...rest] = lines
  // Ids between white space may be words of a header.
  const header =
    isHeader(first.fields) &&
    !(options.isTrec && first.fields.some((field) => readScore(field) !== undefined))
  const body = header ? rest : lines
  const indexes = header ? headed(first, body, options, into) : headless(body, options, into)
  if (!indexes) return
  const [query, document, grade, group] = indexes
  const most = header ? first.fields.length : 4
  const least = options.isTrec && !header ? 4 : 1 + Math.max(query, document, grade)
  for (const { fields, line } of body)
    if (fields.length > most || fields.length < least)
      into.diagnostic(
        `has ${fields.length} column${fields.length === 1 ? '' : 's'}${options.isTrec ? '' : ' separated by tabs'}, not ${
          header ? first.fields.join(', ') : named(indexes)
        }${otherSeparator(fields, options)}`,
        line,
      )
    else into.qrel(fields[query], fields[document], fields[grade], line, fields[group] || undefined)
}

function headed(
  { fields: header, line }: TableLine,
  body: readonly TableLine[],
  options: TableOptions,
  into: QrelTable,
): Indexes | undefined {
  const valuesOf = (column: number) =>
    body.flatMap(({ fields }) => (fields.length > column ? [fields[column]] : []))
  const assigned = assignColumns(
    header,
    [QUERY, DOCUMENT, GRADE, GROUP],
    valuesOf,
    options.known,
    (message) => into.diagnostic(message, line),
  )
  if (!assigned) return undefined
  if (assigned.read && header.slice(0, 3).join(' ') !== 'query-id corpus-id score') into.read(assigned.read)
  return assigned.indexes as unknown as Indexes
}

function headless(lines: readonly TableLine[], options: TableOptions, into: QrelTable): Indexes | undefined {
  const { known = {} } = options
  const isWide = lines.every(({ fields }) => fields.length === 4)
  if (!isWide) return options.isTrec ? TREC : narrow(lines, options, into)
  const meets = (column: number) =>
    !known.document || lines.some(({ fields }) => known.document?.(fields[column]))
  const isZero = (column: number) => lines.every(({ fields }) => /^q?0$/i.test(fields[column]))
  const isBeir = isReading(lines, BEIR) && meets(BEIR[1])
  if (isBeir && isZero(3) && !isZero(1)) return iterationLast(lines, options, into)
  if (options.isTrec) return TREC
  const isIteration = lines.every(({ fields }) => /^q?\d+$/i.test(fields[1]))
  const isTrec = isIteration && isReading(lines, TREC) && meets(TREC[1])
  if (isBeir && isTrec && !isZero(1)) {
    into.diagnostic(
      `can be read as query, document, grade, group (BEIR) and as query, iteration, document, grade (TREC); begin the file with a header`,
      lines[0].line,
    )
    return undefined
  }
  if (!(isTrec || (isZero(1) && !isBeir))) return BEIR
  into.read('query, iteration, document and grade from columns 1 to 4, as in TREC')
  return TREC
}

/** Four columns of which the last is 0 or Q0 throughout: an iteration, or one group for each query. */
function iterationLast(
  lines: readonly TableLine[],
  { isTrec }: TableOptions,
  into: QrelTable,
): Indexes | undefined {
  const relevant = lines.filter(({ fields }) => (readGrade(fields[2]) as number) > 0)
  const isSame = new Set(relevant.map(({ fields }) => fields[0])).size === relevant.length
  if (isSame || isTrec) {
    into.read('query, document, grade and iteration from columns 1 to 4, as in the TSV of ir_datasets')
    return ITERATION_LAST
  }
  into.diagnostic(
    `can be read as query, document, grade, iteration (ir_datasets) and as query, document, grade, group (BEIR with alternatives); begin the file with a header`,
    lines[0].line,
  )
  return undefined
}

/** Three columns: the grade is the last, unless the column before it looks more like grades. */
function narrow(
  lines: readonly TableLine[],
  { known = {} }: TableOptions,
  into: QrelTable,
): Indexes | undefined {
  const distinct = (column: number) => new Set(lines.map(({ fields }) => fields[column])).size
  const isSwapped =
    lines.every(({ fields }) => fields.length === 3) &&
    distinct(2) > distinct(1) &&
    isReading(lines, GRADE_FIRST) &&
    (!known.document || lines.every(({ fields }) => known.document?.(fields[2])))
  if (!isSwapped) return BEIR
  into.diagnostic(
    `can be read as query, document, grade and as query, grade, document: column 3 has more distinct values than column 2; begin the file with a header`,
    lines[0].line,
  )
  return undefined
}

/** End of a message about a line that another sign separates. */
function otherSeparator(fields: readonly string[], { isTrec }: TableOptions): string {
  const sign = [',', ';', ' '].find((sign) => fields.length === 1 && fields[0].split(sign).length > 2)
  if (sign === undefined) return ''
  const words = { ',': 'commas', ';': 'semicolons', ' ': 'spaces' }[sign]
  return `; its columns are separated by ${words}: write ${isTrec ? 'spaces' : 'tabs'} in their place`
}

function named(indexes: Indexes): string {
  return indexes === TREC ? 'query, iteration, document, grade' : 'query, document, grade (and group)'
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

/** An id between tabs. Ids that readers would trim are refused. */
export function tabCell(text: string, file?: string): string {
  if (!/[\t\r\n]/.test(text) && text === text.trim()) return text
  throw new UserError({
    ...(file !== undefined && { file }),
    message: `BEIR's columns are separated by tabs and cannot hold the id ${JSON.stringify(text)}${file === undefined ? '' : '; write csv'}`,
  })
}
