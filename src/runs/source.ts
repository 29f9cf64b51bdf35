import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { decoded, readUnpacked } from '../store/input.ts'
import { makeFolder, writeWhole } from '../store/write.ts'
import { assignColumns, DOCUMENT, GRADE, GROUP, NAME, QUERY, RANK, SCORE } from '../tables/roles.ts'
import { readScore } from '../text/numbers.ts'
import type { FileKind, RowSink, RunSource } from './types.ts'

export interface TextRow {
  readonly text: string
  readonly fields: readonly string[]
  /** From 1. */
  readonly line: number
}

export function openSource(path: string, bytes = readUnpacked(path)): RunSource {
  const head = bytes.toString('utf8', 0, 65_536).replace(/^\ufeff/, '')
  return {
    path,
    head,
    isParquet: head.startsWith('PAR1') && bytes.includes(0),
    isJson: /^\s*(?:\{\s*(?:"|\}|$)|\[\s*\{\s*")/.test(head),
    text: () => decoded(path, bytes),
  }
}

/** Fields between white space as C knows it: a no-break space belongs to an id. A loop takes a third of a regular expression's time. */
export function spaced(text: string): string[] {
  const fields: string[] = []
  let start = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isSpace = code === 32 || code === 9 || (code >= 11 && code <= 13)
    if (!isSpace && start < 0) start = at
    else if (isSpace && start >= 0) {
      fields.push(text.slice(start, at))
      start = -1
    }
  }
  if (start >= 0) fields.push(text.slice(start))
  return fields
}

export const tabbed = (text: string): string[] => text.split('\t').map((field) => field.trim())

export function* rowsOf(source: RunSource, fieldsOf: (text: string) => string[]): Generator<TextRow> {
  const whole = source.text()
  let line = 1
  for (let start = 0; start < whole.length; line++) {
    const newline = whole.indexOf('\n', start)
    const end = newline < 0 ? whole.length : newline
    const text = whole.slice(start, end)
    const fields = fieldsOf(text)
    if (fields.length > 0 && (fields[0] !== '' || fields.some((field) => field !== '')))
      yield { text, fields, line }
    start = end + 1
  }
}

const COLUMNS = { run: [QUERY, DOCUMENT, SCORE, NAME, RANK], qrels: [QUERY, DOCUMENT, GRADE, GROUP] }

export interface TableRow {
  readonly fields: readonly unknown[]
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

/** Writes a text, with the folders above it; gzip if the path ends in `.gz`. */
export function writeText(path: string, text: string): void {
  makeFolder(dirname(path))
  writeWhole(path, path.endsWith('.gz') ? gzipSync(text) : text)
}
