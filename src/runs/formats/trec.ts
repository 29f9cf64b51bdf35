import { UserError } from '../../errors.ts'
import { readQrelTable, type TableLine } from '../../tables/qrel-table.ts'
import { readNumber } from '../../text/numbers.ts'
import { eachRunLine, fieldsOf } from '../lines.ts'
import { bestFirst, byId } from '../order.ts'
import { defineRunFormat } from '../types.ts'
import { refuseGroups, writeText } from '../write.ts'

const LONE_RETURN =
  'holds a carriage return without a line feed, which ends a line on old systems; save the file with line feeds'

/**
 * TREC's files, fields between white space:
 *
 *     run    query Q0 document rank score tag     (the tag may be missing)
 *            query document rank score [tag]      (without Q0)
 *     qrels  query iteration document grade    (or a header)
 *
 * Scores give the order, and ranks that contradict them are reported. A line whose rank is no number, or whose tag looks like a
 * score, holds an id with a space, and another field would pass for the score. Words after the tag are trec_eval's to allow.
 * Blank lines and lines that begin with # are ignored, as trec_eval does.
 */
export const trec = defineRunFormat({
  name: 'trec',
  summary: 'TREC runs (query Q0 document rank score tag) and qrels (query iteration document grade)',
  extension: '.trec',
  // The last format: every other text is TREC's.
  detect: () => true,
  readRun(source, into) {
    eachRunLine(source, into, (text, line) => {
      const fields = fieldsOf(text)
      if (fields.length === 0 || fields[0].startsWith('#')) return
      if (text.includes('\r') && !into.lenient) return into.diagnostic(LONE_RETURN, line)
      if (fields.length < 4) {
        into.diagnostic(
          `has ${fields.length} column${fields.length === 1 ? '' : 's'}; a run has 4 to 6: query, Q0, document, rank, score, tag`,
          line,
        )
        return
      }
      const named = fields.length >= 6 || /^q?0$/i.test(fields[1])
      // Four fields with Q0 can hold no rank; four without hold no tag.
      const [id, rank, score, tag] = named
        ? fields.length === 4
          ? [fields[2], undefined, fields[3], undefined]
          : fields.slice(2)
        : fields.slice(1)
      const place = rank === undefined ? undefined : readNumber(rank)
      if (rank !== undefined && (place === undefined || !Number.isInteger(place))) {
        if (!into.lenient)
          return into.diagnostic(
            `the rank \`${rank}\` is ${place === undefined ? 'not a number (does an id hold a space?)' : 'not a whole number (are rank and score swapped? TREC has query, Q0, document, rank, score, tag)'}`,
            line,
          )
        into.notice('ranks that are not whole numbers, ignored')
      }
      // A score is in the column of the tag.
      const number = tag === undefined ? undefined : readNumber(tag)
      if (!into.lenient && number !== undefined && (fields.length > 6 || !Number.isInteger(number)))
        return into.diagnostic(
          `has ${fields.length} columns and the number \`${tag}\` for a tag (does an id hold a space?)`,
          line,
        )
      if (fields.length > 6) into.notice('lines with more words after the tag, ignored')
      into.entry(fields[0], id, score, line, place)
      if (tag !== undefined) into.name(tag)
    })
  },
  readQrels(source, into) {
    const lines: TableLine[] = []
    eachRunLine(source, into, (text, line) => {
      const fields = fieldsOf(text)
      if (fields.length === 0 || text.startsWith('#')) return
      if (text.includes('\r') && !into.lenient) into.diagnostic(LONE_RETURN, line)
      else lines.push({ fields, line })
    })
    // One error says enough of a whole file in the wrong place.
    if (!into.lenient && lines[0]?.fields.length === 6 && lines[0].fields[1] === 'Q0')
      return into.diagnostic('is a line of a run; qrels come first, then runs', lines[0].line)
    if (!into.lenient) return readQrelTable(lines, { ...into.columns, isTrec: true }, into)
    for (const { fields, line } of lines) {
      if (fields.length < 4)
        into.diagnostic(`has ${fields.length} columns, not query, iteration, document, grade`, line)
      else {
        if (fields.length > 4) into.notice('lines with columns after the grade')
        into.qrel(fields[0], fields[2], fields[3], line)
      }
    }
  },
  writeRun(path, { name, queries }) {
    const lines: string[] = []
    const tag = name.replace(/\s+/g, '-') || 'run'
    for (const [query, entries] of byId(queries))
      bestFirst(entries).forEach((index, rank) => {
        const id = entries.ids[index]
        lines.push(`${word(query, path)} Q0 ${word(id, path)} ${rank + 1} ${entries.scores[index]} ${tag}\n`)
      })
    writeText(path, lines.join(''))
  },
  writeQrels(path, { qrels, groups }) {
    refuseGroups(path, groups)
    const lines: string[] = []
    for (const [query, judged] of byId(qrels))
      for (const [id, grade] of byId(judged))
        lines.push(`${word(query, path)} 0 ${word(id, path)} ${grade}\n`)
    writeText(path, lines.join(''))
  },
})

/** An id as a field: one without white space, not the beginning of a comment. */
function word(id: string, path: string): string {
  if (/^[^\s#][^\s]*$/.test(id)) return id
  throw new UserError(
    `${path}: TREC's columns are separated by spaces and cannot hold the id \`${id}\`; write another format`,
  )
}
