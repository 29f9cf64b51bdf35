import { UserError } from '../../errors.ts'
import { eachLine, fieldsOf } from '../lines.ts'
import { bestFirst, byId } from '../order.ts'
import { defineRunFormat } from '../types.ts'
import { refuseGroups, writeText } from '../write.ts'

/**
 * TREC's files, fields between white space:
 *
 *     run    query Q0 document rank score tag     (the tag may be missing; what follows it is passed over)
 *            query document rank score [tag]      (without Q0)
 *     qrels  query iteration document grade
 *
 * Ranks are never read: scores give the order. Blank lines and lines that begin with # are passed over, as trec_eval
 * does.
 */
export const trec = defineRunFormat({
  name: 'trec',
  summary: 'TREC runs (query Q0 document rank score tag) and qrels (query iteration document grade)',
  extension: '.trec',
  detect: ({ bytes }) =>
    !bytes.subarray(0, 1).equals(Buffer.from('{')) && !bytes.subarray(0, 4).equals(Buffer.from('PAR1')),
  readRun(source, into) {
    eachLine(source, into, (text, line) => {
      const fields = fieldsOf(text)
      if (fields.length === 0 || fields[0].startsWith('#')) return
      if (fields.length < 4) {
        into.mistake(
          `has ${fields.length} columns; a run has 4 to 6: query, Q0, document, rank, score, tag`,
          line,
        )
        return
      }
      const named = fields.length >= 6 || /^q?0$/i.test(fields[1])
      // Four fields with Q0 can hold no rank; four without hold no tag.
      const [id, score, tag] = named
        ? fields.length === 4
          ? [fields[2], fields[3], undefined]
          : [fields[2], fields[4], fields[5]]
        : [fields[1], fields[3], fields[4]]
      into.entry(fields[0], id, score, line)
      if (tag !== undefined) into.name(tag)
    })
  },
  readQrels(source, into) {
    eachLine(source, into, (text, line) => {
      const fields = fieldsOf(text)
      if (fields.length === 0 || text.startsWith('#')) return
      if (fields.length < 4 || (fields.length > 4 && !into.lenient))
        into.mistake(`has ${fields.length} columns; qrels have 4: query, iteration, document, grade`, line)
      else {
        if (fields.length > 4) into.notice('lines with columns after the grade')
        into.judgement(fields[0], fields[2], fields[3], line)
      }
    })
  },
  writeRun(path, { name, queries }) {
    const lines: string[] = []
    const tag = name.replace(/\s+/g, '-') || 'run'
    for (const [query, entries] of byId(queries))
      bestFirst(entries).forEach((place, rank) => {
        const id = entries.ids[place]
        lines.push(`${word(query, path)} Q0 ${word(id, path)} ${rank + 1} ${entries.scores[place]} ${tag}\n`)
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
    `${path}: TREC's columns stand between spaces and cannot hold the id \`${id}\`; write another format`,
  )
}
