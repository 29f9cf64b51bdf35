import { UserError } from '../../errors.ts'
import { readQrelTable } from '../../tables/qrel-table.ts'
import { readNumber } from '../../text/numbers.ts'
import { rowsOf, spaced, type TextRow, writeText } from '../source.ts'
import type { RowSink, RunFormat, RunSource } from '../types.ts'

const LONE_RETURN =
  'holds a carriage return without a line feed, which ends a line on old systems; save the file with line feeds'

/**
 * TREC's files, fields between white space:
 *
 *     run    query Q0 document rank score tag     (the tag may be missing)
 *            query document rank score [tag]      (without Q0)
 *     qrels  query iteration document grade    (or a header)
 *
 * A line whose rank is no number, or whose tag looks like a score, holds an id with a space. Words after the tag, blank lines and lines
 * that begin with # are ignored, as trec_eval does.
 */
export const trec: RunFormat = {
  name: 'trec',
  summary: 'TREC runs (query Q0 document rank score tag) and qrels (query iteration document grade)',
  extension: '.trec',
  // The last format: every other text is TREC's.
  detect: () => true,
  read: (source, into, kind) => (kind === 'run' ? readRun(source, into) : readQrels(source, into)),
  writes: ['run', 'qrels'],
  write(path, rows, kind) {
    const ranks = new Map<string, number>()
    const lines = rows.map(({ query, id, value, extra }) => {
      const names = [word(query, path), word(id, path)]
      if (kind === 'qrels') return `${names[0]} 0 ${names[1]} ${value}\n`
      const rank = (ranks.get(query) ?? 0) + 1
      ranks.set(query, rank)
      return `${names[0]} Q0 ${names[1]} ${rank} ${value} ${extra.replace(/\s+/g, '-') || 'run'}\n`
    })
    writeText(path, lines.join(''))
  },
}

/** Lines without comments; an old line end within one is an error. */
function* linesOf(source: RunSource, into: RowSink): Generator<TextRow> {
  for (const row of rowsOf(source, spaced)) {
    if (row.fields[0].startsWith('#')) continue
    const lineEnd = row.text.indexOf('\r')
    if (lineEnd >= 0 && lineEnd < row.text.length - 1) into.diagnostic(LONE_RETURN, row.line)
    else yield row
  }
}

function readRun(source: RunSource, into: RowSink): void {
  for (const { fields, line } of linesOf(source, into)) {
    const message = takeLine(fields, line, into)
    if (message !== undefined) into.diagnostic(message, line)
  }
}

function takeLine(fields: readonly string[], line: number, into: RowSink): string | undefined {
  if (fields.length < 4)
    return `has ${fields.length} column${fields.length === 1 ? '' : 's'}; a run has 4 to 6: query, Q0, document, rank, score, tag`
  const named = fields.length >= 6 || /^q?0$/i.test(fields[1])
  // Four fields with Q0 can hold no rank; four without hold no tag.
  const at = named ? 2 : 1
  const id = fields[at]
  const [rank, score, tag] =
    named && fields.length === 4
      ? [undefined, fields[3], undefined]
      : [fields[at + 1], fields[at + 2], fields[at + 3]]
  const place = rank === undefined ? undefined : readNumber(rank)
  if (rank !== undefined && !Number.isInteger(place))
    return `the rank \`${rank}\` is ${place === undefined ? 'not a number (does an id hold a space?)' : 'not a whole number (are rank and score swapped? TREC has query, Q0, document, rank, score, tag)'}`
  // A score is in the column of the tag.
  const number = tag === undefined ? undefined : readNumber(tag)
  if (number !== undefined && (fields.length > 6 || !Number.isInteger(number)))
    return `has ${fields.length} columns and the number \`${tag}\` for a tag (does an id hold a space?)`
  if (fields.length > 6) into.notice('lines with more words after the tag, ignored')
  into.take(fields[0], id, score, line, tag, place)
  return undefined
}

function readQrels(source: RunSource, into: RowSink): void {
  const lines = [...linesOf(source, into)]
  // One error says enough of a whole file in the wrong place.
  if (lines[0]?.fields.length === 6 && lines[0].fields[1] === 'Q0')
    into.diagnostic('is a line of a run; qrels come first, then runs', lines[0].line)
  else readQrelTable(lines, { known: into.known, isTrec: true }, { ...into, qrel: into.take })
}

/** An id as a field: one without white space, not the beginning of a comment. */
function word(id: string, path: string): string {
  if (/^[^\s#][^\s]*$/.test(id)) return id
  throw new UserError(
    `${path}: TREC's columns are separated by spaces and cannot hold the id \`${id}\`; write another format`,
  )
}
